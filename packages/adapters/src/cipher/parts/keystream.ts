import { createCipheriv } from 'node:crypto'

/** Returns the next bytes of a stream, which look random to all who do not have its key. */
export type Keystream = (length: number) => Buffer

/** Returns the stream of AES-256 in counter mode under a key of 32 bytes. */
export function keystream(key: Uint8Array): Keystream {
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (length) => cipher.update(Buffer.alloc(length))
}
