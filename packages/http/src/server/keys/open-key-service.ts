import { readFileSync } from 'node:fs'
import { memoize } from '@heirloom/adapters/internal/platform'
import { pkcs11KeyService } from '@heirloom/adapters/signer'
import { Failure, isFailure, type KeyService, type KeyServiceModule } from '@heirloom/core'
import type { KeyPlace } from '../../config/read-keys.ts'
import { traceOf } from '../error-trace.ts'
import { importModule } from '../import-module.ts'
import { requirePrivate } from './require-private.ts'

/** Returns the service at a place. Connects to nothing, and loads nothing, before the first request. */
export function openKeyService(place: KeyPlace): KeyService {
  if (place.kind === 'module') return moduleService(place.module)
  const { pin, pinFile } = place
  if (pinFile !== undefined) return pkcs11KeyService({ ...place, pin: () => readPin(pinFile) })
  return pkcs11KeyService({ ...place, pin: pin === undefined ? undefined : () => pin })
}

function readPin(path: string): string {
  requirePrivate(path, (problem) => wrongService(`has a pin-source, ${path}, that ${problem}`))
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw wrongService('has a pin-source that cannot be read', cause)
  }
}

const wrongService = (problem: string, cause?: unknown): Failure<'config/invalid'> =>
  new Failure('config/invalid', { name: 'AGENT_KEY_SERVICE', problem }, { cause })

/** Returns the service of a module as one that keeps to the port. */
function moduleService(name: string): KeyService {
  let opened: KeyService | undefined
  const open = memoize(async () => {
    opened = await loadService(name)
    return opened
  })
  return {
    publicKey: async () => {
      const service = await open()
      return call('public-key', () => service.publicKey())
    },
    sign: async (digest) => {
      const service = await open()
      return call('sign', () => service.sign(digest))
    },
    close: async () => opened?.close?.(),
  }
}

async function loadService(name: string): Promise<KeyService> {
  const { keyService } = await importModule<KeyServiceModule>(name).catch((cause: unknown) => {
    throw wrongService('names a module that cannot be loaded', traceOf(cause))
  })
  if (typeof keyService !== 'function') {
    throw wrongService('names a module that does not export the function keyService')
  }
  const service = callModule(keyService)
  for (const method of ['publicKey', 'sign'] as const) {
    if (typeof service?.[method] === 'function') continue
    throw wrongService(`names a module whose keyService returns an object without ${method}`)
  }
  return service
}

function callModule(make: KeyServiceModule['keyService']): KeyService {
  try {
    return make()
  } catch (error) {
    throw isFailure(error, 'config/invalid') ? error : wrongService(failed, traceOf(error))
  }
}

const failed = 'names a module whose keyService fails'

/** Calls a method. What a module says of an error stays out of logs: it may quote a credential. */
async function call<T>(operation: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (isFailure(error, 'config/invalid')) throw error
    throw new Failure('key-service/unavailable', { operation }, { cause: traceOf(error) })
  }
}
