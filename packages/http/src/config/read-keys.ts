import { resolve } from 'node:path'
import type { Pkcs11Place } from '@heirloom/adapters/signer'
import { type Account, type Hex, isFailure } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { type Environment, invalidVariable, moduleOf, readText } from './environment.ts'

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
  const module = moduleOf(text)
  if (module !== undefined) return { kind: 'module', module }
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

/** The master keys of the environment, or the file that holds them. */
export type MasterKeySource = {
  /** The master keys, the wrapping one first; empty if they are in a file. */
  readonly masterKeys: readonly Uint8Array[]
  /** The file of the master keys; absent for `master.keys` in the data folder. */
  readonly masterKeyFile: string | undefined
}

/**
 * Reads the master keys, or the name of their file.
 *
 * @throws `config/invalid`
 */
export function readMasterKeySource(env: Environment): MasterKeySource {
  const masterKeys = readMasterKeys('MASTER_KEYS', readText(env, 'MASTER_KEYS') ?? '')
  const masterKeyFile = readText(env, 'MASTER_KEY_FILE')
  if (masterKeys.length > 0 && masterKeyFile !== undefined) {
    throw invalidVariable('MASTER_KEY_FILE', 'must be left out where MASTER_KEYS is set')
  }
  return { masterKeys, masterKeyFile }
}

function bytes32(name: string, text: string): Uint8Array {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? []
  if (digits === undefined) throw invalidVariable(name, 'must be 32 bytes in hexadecimal')
  return Buffer.from(digits, 'hex')
}

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Reads a private key of 32 bytes, with or without `0x`.
 *
 * @throws `config/invalid`
 */
export function readAgentKey(name: string, text: string): Hex {
  const key: Hex = `0x${Buffer.from(bytes32(name, text.trim())).toString('hex')}`
  if (BigInt(key) > 0n && BigInt(key) < curveOrder) return key
  throw invalidVariable(name, 'must be a private key of the curve secp256k1')
}

/**
 * Reads the seed of the key that proves an IPFS node, 32 bytes.
 *
 * @throws `config/invalid`
 */
export const readPeerKey = (name: string, text: string): Uint8Array => bytes32(name, text.trim())

/**
 * Reads a list of keys of 32 bytes, separated by commas or line breaks.
 *
 * @throws `config/invalid`
 */
export function readMasterKeys(name: string, text: string): readonly Uint8Array[] {
  const items = text.split(/[,\n]/).map((item) => item.trim())
  return items.filter((item) => item !== '').map((item) => bytes32(name, item))
}

/** A key in a token, and the file of its PIN, if it has one. */
type Pkcs11Uri = { readonly place: Pkcs11Place; readonly pinFile: string | undefined }

/**
 * Reads the URI of a key in a token (RFC 7512), such as
 * `pkcs11:token=heirloom;object=agent?module-path=/usr/lib/softhsm/libsofthsm2.so`. In the path it
 * knows `token`, `serial`, `object`, `id` and `type`, behind the `?` `module-path` and `pin-source`.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
function readPkcs11Uri(name: string, text: string): Pkcs11Uri {
  const fail = (problem: string) => invalidVariable(name, problem)
  const [path = '', query = '', ...more] = text.slice('pkcs11:'.length).split('?')
  if (more.length > 0) throw fail('must have one ? at most')
  const key = readParts(path, ';', { known: keyParts, fail })
  const access = readParts(query, '&', { known: accessParts, fail })
  if ((key.type ?? 'private') !== 'private') throw fail('must name a private key')
  if (key.object === undefined && key.id === undefined) {
    throw fail('must name a key by its label, object=…, or by its id=…')
  }
  const module = access['module-path']
  if (module === undefined) {
    throw fail('must name the library of the token, ?module-path=/path/of/the/library.so')
  }
  const { token, serial, object } = key
  const id = key.id === undefined ? undefined : Buffer.from(key.id, 'latin1').toString('hex')
  return {
    place: { module: resolve(module), token, serial, object, id },
    pinFile: readPinFile(access['pin-source'], fail),
  }
}

type Fail = (problem: string) => Error

const keyParts = ['token', 'serial', 'object', 'id', 'type']
const accessParts = ['module-path', 'pin-source']

type Known = { readonly known: readonly string[]; readonly fail: Fail }

/** Returns the parts of a URI by their names. The id is bytes, of which each becomes a character. */
function readParts(
  text: string,
  separator: string,
  { known, fail }: Known,
): Readonly<Record<string, string>> {
  const parts = new Map<string, string>()
  for (const part of text.split(separator).filter((it) => it !== '')) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.+)$/s.exec(part) ?? []
    requireKnown(name, { known, fail })
    if (parts.has(name)) throw fail(`has ${name} twice`)
    parts.set(name, decodePart(value, name === 'id' ? 'latin1' : 'utf8', fail))
  }
  return Object.fromEntries(parts)
}

function requireKnown(name: string, { known, fail }: Known): void {
  if (name === 'pin-value') {
    throw fail('must hold no PIN; set AGENT_KEY_PIN, or pin-source to the path of its file')
  }
  if (!known.includes(name)) throw fail(`may have ${known.join(', ')} there, each with a value`)
}

function decodePart(text: string, encoding: 'latin1' | 'utf8', fail: Fail): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw fail('has a % that is not followed by two digits')
  const bytes = text.replace(/%(..)/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return encoding === 'latin1' ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')
}

function readPinFile(source: string | undefined, fail: Fail): string | undefined {
  if (source === undefined) return undefined
  const path = source.replace(/^file:(\/\/(?=\/))?/, '')
  if (/^[|]|^[a-z]+:/i.test(path)) throw fail('needs the path of a file as its pin-source')
  return resolve(path)
}
