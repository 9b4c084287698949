import type { Delivery } from './delivery.ts'
import { alreadyRead, joined, tooLong } from './read-web-body.ts'
import { Refusal } from './refusal.ts'

/** A request of `node:http`, Express or Connect, as far as it is used. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined
  readonly headers: Delivery['headers']
  /** Describes what a parser made of the body: only its bytes will do. */
  readonly body?: unknown
  readonly readableEnded?: boolean | undefined
}

/** A reply of `node:http`, Express or Connect, as far as it is used. */
export type NodeReply = {
  statusCode: number
  readonly setHeader: (name: string, value: string) => unknown
  readonly end: (text: string) => unknown
}

/** Reads the headers and the bytes of a request of Node. @throws {Refusal} 405, 413, 500 */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<Delivery> {
  const { method, headers, body, readableEnded } = request
  if (method !== 'POST') throw new Refusal(405, 'A webhook is delivered by POST.')
  const parsed = body instanceof Uint8Array ? body : undefined
  const announced = parsed?.length ?? Number(headers['content-length'] ?? 0)
  if (announced > maxBytes) throw tooLong(maxBytes)
  if (parsed !== undefined) return { headers, body: parsed }
  if (readableEnded === true) throw new Refusal(500, alreadyRead)
  return { headers, body: await readParts(request, maxBytes) }
}

async function readParts(parts: AsyncIterable<Uint8Array>, maxBytes: number) {
  const all: Uint8Array[] = []
  let length = 0
  for await (const part of parts) {
    length += part.length
    if (length > maxBytes) throw tooLong(maxBytes)
    all.push(part)
  }
  return joined(all, length)
}

/** Sends an answer. */
export function sendAnswer(
  reply: NodeReply,
  { status, text }: { readonly status: number; readonly text: string },
): void {
  reply.statusCode = status
  reply.setHeader('content-type', 'text/plain')
  // What is left of a refused body is not read.
  if (status === 413) reply.setHeader('connection', 'close')
  reply.end(text)
}
