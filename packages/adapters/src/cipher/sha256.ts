import { hash } from 'node:crypto'

/**
 * Returns the SHA-256 of bytes. By way of a text, because a buffer of its own for each of many sums
 * takes twice the time and four times the memory.
 */
export const sha256 = (bytes: Uint8Array): Buffer =>
  Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
