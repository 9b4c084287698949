import type { Hex } from 'viem'

/** Returns what the chain must record for some bytes and the salt they were sealed with. */
export async function contentHashOf(salt: Hex, bytes: Uint8Array): Promise<Hex> {
  const joined = new Uint8Array(32 + bytes.length)
  joined.set(bytesOf(salt))
  joined.set(bytes, 32)
  return `0x${hexOf(await sha256(joined))}`
}

/** A page that came over plain HTTP from another machine has no `crypto.subtle`. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (globalThis.crypto.subtle !== undefined) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  }
  return (await import('./slow-sha256.ts')).slowSha256(bytes)
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

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('')
