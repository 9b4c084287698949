import { resolve } from 'node:path'
import type { Pkcs11Place } from '@heirloom/adapters/signer'
import { type Account, isFailure } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { type Environment, invalidVariable, readText } from './environment.ts'
import { isModulePath, isPackageName } from './module-name.ts'
import { readPkcs11Uri } from './read-pkcs11-uri.ts'

/** The place of a key: in a token, or wherever a module reaches it. */
export type KeyPlace =
  | {
      readonly kind: 'pkcs11'
      readonly place: Pkcs11Place
      readonly pin: string | undefined
      /** The file of the PIN. */
      readonly pinFile: string | undefined
    }
  | {
      readonly kind: 'module'
      /** The absolute path of the module, or the name of a package. */
      readonly module: string
    }

/** A service that has the key of the agent wallet, and the account of that key. */
export type KeyServiceSource = KeyPlace & { readonly address: Account }

/**
 * Reads the service that signs for the agent wallet: a token, or what a module makes; `undefined`
 * where the key is in the environment or in the data folder.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readKeyService(env: Environment): KeyServiceSource | undefined {
  const address = readText(env, 'AGENT_ADDRESS')
  const place = readKeyPlace(env)
  if (place !== undefined) return { ...place, address: readAgentAddress(address) }
  if (address === undefined) return undefined
  throw invalidVariable('AGENT_ADDRESS', 'has no effect without AGENT_KEY_SERVICE; unset it')
}

/**
 * Reads the place of the key alone.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readKeyPlace(env: Environment): KeyPlace | undefined {
  const [text, pin] = [readText(env, 'AGENT_KEY_SERVICE'), readText(env, 'AGENT_KEY_PIN')]
  if (text === undefined && pin === undefined) return undefined
  if (text === undefined) {
    throw invalidVariable('AGENT_KEY_PIN', 'has no effect without AGENT_KEY_SERVICE; unset it')
  }
  if (readText(env, 'AGENT_PRIVATE_KEY') !== undefined) {
    throw invalidVariable('AGENT_PRIVATE_KEY', 'must be left out where AGENT_KEY_SERVICE is set')
  }
  return readPlace(text, pin)
}

function readPlace(text: string, pin: string | undefined): KeyPlace {
  if (/^pkcs11:/i.test(text)) {
    const { place, pinFile } = readPkcs11Uri('AGENT_KEY_SERVICE', text)
    if (pin !== undefined && pinFile !== undefined) {
      throw invalidVariable('AGENT_KEY_PIN', 'must be left out where the URI has a pin-source')
    }
    return { kind: 'pkcs11', place, pin, pinFile }
  }
  if (pin !== undefined) {
    throw invalidVariable('AGENT_KEY_PIN', 'has no effect with a module; unset it')
  }
  if (isModulePath(text)) return { kind: 'module', module: resolve(text) }
  if (isPackageName(text)) return { kind: 'module', module: text }
  throw invalidVariable(
    'AGENT_KEY_SERVICE',
    'must be a URI that begins with pkcs11:, the path of a module or the name of a package',
  )
}

function readAgentAddress(text: string | undefined): Account {
  if (text === undefined) {
    const problem =
      'must be set where AGENT_KEY_SERVICE is: heirloom keys agent prints the address of its key'
    throw invalidVariable('AGENT_ADDRESS', problem)
  }
  try {
    return readAddress(text)
  } catch (error) {
    if (!isFailure(error)) throw error
    throw invalidVariable(
      'AGENT_ADDRESS',
      'must be an address, 0x and 40 digits, in its EIP-55 spelling',
    )
  }
}
