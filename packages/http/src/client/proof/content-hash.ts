import type { Hex } from '@heirloom/core'
import { joined } from '../transport/read-whole.ts'
import { slowSha256 } from './sha256-fallback.ts'

/** Returns what the chain must record for a document and the salt that it was sealed with. */
export async function contentHashOf(salt: Hex, document: Uint8Array): Promise<Hex> {
  return hexOf(await sha256(joined([bytesOf(salt), document])))
}

/** Returns the sha256 of some bytes. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto as { readonly subtle?: typeof crypto.subtle }
  // A page that came over plain HTTP from another machine has none.
  if (subtle === undefined) return slowSha256(bytes)
  return new Uint8Array(await subtle.digest('SHA-256', bytes))
}

/**
 * Returns the bytes of a salt as the server tells it.
 *
 * @throws {TypeError} for anything but 32 bytes of hex
 */
export function bytesOf(salt: string): Uint8Array {
  if (!/^0x[0-9a-f]{64}$/i.test(salt)) throw new TypeError('The salt is not 32 bytes of hex.')
  return Uint8Array.from(salt.slice(2).match(/../g) ?? [], (it) => Number.parseInt(it, 16))
}

/** Returns bytes as `0x` and hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('')}`
