import type { Hex } from '@heirloom/core'
import { invalidVariable } from './environment.ts'

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
