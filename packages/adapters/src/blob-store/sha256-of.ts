import { hash, subtle } from 'node:crypto'

/** Up to this length, in bytes, handing bytes to another thread takes about as long as the work. */
const short = 131_072

/** Returns the sha2-256 of bytes in hexadecimal; long ones are hashed beside the event loop. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= short) return hash('sha256', bytes)
  const sum = await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(sum).toString('hex')
}
