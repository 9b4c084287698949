import type { Hex } from '@heirloom/core'
import { concatBytes } from '../transport/read-whole.ts'
import { sha256Fallback } from './sha256-fallback.ts'

/** Returns the content hash of a document: the sha256 of its salt and its bytes. */
export async function contentHashOf(salt: Hex, document: Uint8Array): Promise<Hex> {
  return hexOf(await sha256(concatBytes([bytesOf(salt), document])))
}

/** Returns the sha256 of bytes. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto as { readonly subtle?: typeof crypto.subtle }
  // A page loaded over plain HTTP has no Web Crypto.
  if (subtle === undefined) return sha256Fallback(bytes)
  return new Uint8Array(await subtle.digest('SHA-256', bytes))
}

/**
 * Decodes a salt from hexadecimal.
 *
 * @throws {TypeError} when it is not 32 bytes of hex
 */
export function bytesOf(salt: string): Uint8Array {
  if (!/^0x[0-9a-f]{64}$/i.test(salt)) throw new TypeError('The salt is not 32 bytes of hex.')
  return Uint8Array.from(salt.slice(2).match(/../g) ?? [], (it) => Number.parseInt(it, 16))
}

/** Encodes bytes as `0x` and hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('')}`
