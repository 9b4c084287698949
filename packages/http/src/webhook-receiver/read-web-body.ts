import type { Delivery } from './delivery.ts'
import { Refusal } from './refusal.ts'

/** Reads the headers and the bytes of a web request. @throws {Refusal} 405, 413 */
export async function readWebBody(request: Request, maxBytes: number): Promise<Delivery> {
  if (request.method !== 'POST') throw new Refusal(405, 'A webhook is delivered by POST.')
  if (request.bodyUsed) throw new Refusal(500, alreadyRead)
  const parts: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    length += part.value.length
    if (length > maxBytes) {
      await reader?.cancel()
      throw tooLong(maxBytes)
    }
    parts.push(part.value)
  }
  return { headers: Object.fromEntries(request.headers), body: joined(parts, length) }
}

/** The reason for a body that is there no more: the signature is over its exact bytes. */
export const alreadyRead =
  'The body was parsed before it came here; mount the receiver before whatever parses JSON.'

/** Returns the refusal of a body that is too long. */
export const tooLong = (maxBytes: number): Refusal =>
  new Refusal(413, `The body has more than ${maxBytes} bytes.`)

/** Joins the parts of a body. */
export function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
