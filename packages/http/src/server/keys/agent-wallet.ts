import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataFolder } from '@heirloom/adapters/internal/data-folder'
import { memoize } from '@heirloom/adapters/internal/platform'
import {
  type KeyServiceEvent,
  type KeyServiceSigner,
  keyServiceSigner,
  pkcs11KeyService,
  signerWallet,
} from '@heirloom/adapters/signer'
import { walletOf } from '@heirloom/adapters/wallet'
import {
  Failure,
  type Hex,
  isFailure,
  type KeyService,
  type KeyServiceModule,
} from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { ChainConfig } from '../../config/config.ts'
import { type KeyPlace, type KeyServiceSource, readAgentKey } from '../../config/read-keys.ts'
import { importModule, traceOf } from '../import-module.ts'
import { agentFile } from '../whole-folder.ts'
import { requirePrivate } from './master-keys.ts'

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

/** The agent wallet, which signs with a key of this process or with one in a service. */
export type AgentWallet = {
  readonly wallet: LocalAccount
  /** Its private key; absent where a service has it. Only an embedded chain opens faster with it. */
  readonly key: Hex | undefined
  /** The signer of the service; absent where the key is here. */
  readonly service: KeyServiceSigner | undefined
}

type Configured = Pick<ChainConfig, 'agentKey' | 'keyService'>

type Observe = (event: KeyServiceEvent) => void

/**
 * Returns the agent wallet of a server: of the configured service or key; without one, generates a key
 * once and stores it in the folder.
 *
 * @throws `config/invalid` if a stored key is damaged, `folder/unusable`
 */
export function openAgentWallet(
  config: Configured,
  folder: DataFolder,
  observe?: Observe,
): AgentWallet {
  const stored = () => readAgentKey(agentFile, folder.secret(agentFile, generatePrivateKey))
  return configuredWallet(config, observe) ?? ofKey(stored())
}

/**
 * Returns the agent wallet that a server with this data folder has; `undefined` before it has one.
 * Creates nothing, and asks no service.
 *
 * @throws `config/invalid` if a stored key is damaged
 */
export function findAgentWallet(config: Configured, folder: string): AgentWallet | undefined {
  const path = join(folder, agentFile)
  const stored = () =>
    existsSync(path) ? ofKey(readAgentKey(agentFile, readFileSync(path, 'utf8'))) : undefined
  return configuredWallet(config) ?? stored()
}

/** Returns the wallet that the environment alone determines, if it does. */
export function configuredWallet(
  { agentKey, keyService }: Configured,
  observe?: Observe,
): AgentWallet | undefined {
  if (keyService !== undefined) return ofService(keyService, observe)
  return agentKey === undefined ? undefined : ofKey(agentKey)
}

const ofKey = (key: Hex): AgentWallet => ({ wallet: walletOf(key), key, service: undefined })

function ofService(source: KeyServiceSource, observe: Observe | undefined): AgentWallet {
  const { address } = source
  const service = keyServiceSigner({
    service: openKeyService(source),
    address,
    ...(observe && { observe }),
  })
  return { wallet: signerWallet(service), key: undefined, service }
}
