import { hash, subtle } from 'node:crypto'
import { short } from '../cipher/crypto-worker.ts'

/** Returns the sha2-256 of bytes in hexadecimal; long ones are hashed beside the event loop. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= short) return hash('sha256', bytes)
  const sum = await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(sum).toString('hex')
}
