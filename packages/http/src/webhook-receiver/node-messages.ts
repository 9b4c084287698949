import { type Delivery, Refusal } from './verify-delivery.ts'

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
const alreadyRead =
  'The body was parsed before it came here; mount the receiver before whatever parses JSON.'

/** Returns the refusal of a body that is too long. */
const tooLong = (maxBytes: number): Refusal =>
  new Refusal(413, `The body has more than ${maxBytes} bytes.`)

/** Joins the parts of a body. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

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
