import { hash, subtle } from 'node:crypto'

/** Up to this length, in bytes, handing bytes to the thread pool takes about as long as the hash. */
const syncLimit = 131_072

/** Returns the sha2-256 of bytes in hexadecimal; long inputs are hashed off the event loop. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= syncLimit) return hash('sha256', bytes)
  const sum = await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(sum).toString('hex')
}
