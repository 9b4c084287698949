import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onLoopback } from './listen-on-loopback.ts'

/** What a server answers, as it goes over the wire. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
  /** After how many bytes of the body the connection is cut. */
  readonly cutAt?: number
}

/** What a client asks. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The headers as they were spelled, names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** Decides what becomes of a request: its answer, or nothing but a connection that is cut. */
export type Meddling = (asked: Asked, forward: () => Promise<Reply>) => Promise<Reply | undefined>

/** A server on loopback between a client and another one, which can do as it likes. */
export type Between = AsyncDisposable & {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Decides from now on. */
  meddle(meddling: Meddling): void
}

/** Stands between clients and the server of a url. */
export async function between(target: string): Promise<Between> {
  const asked: Asked[] = []
  let meddling: Meddling = (_, forward) => forward()
  const server = createServer(async (request, response) => {
    const it = await heard(request)
    asked.push(it)
    const reply = await meddling(it, () => forwarded(target, it))
    if (reply === undefined) response.destroy()
    else say(response, reply)
  })
  const { url, close } = await onLoopback(server)
  return {
    url,
    asked,
    meddle: (next) => {
      meddling = next
    },
    [Symbol.asyncDispose]: close,
  }
}

async function heard(request: IncomingMessage): Promise<Asked> {
  const { method = '', url = '', headers, rawHeaders } = request
  return { method, path: url, headers, rawHeaders, body: await buffer(request) }
}

/** What one connection is about, and no other. */
const ofConnection = /^(host|connection|content-length|transfer-encoding|keep-alive|expect)$/

async function forwarded(target: string, { method, path, headers, body }: Asked): Promise<Reply> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.test(name))
  const init = { method, headers: Object.fromEntries(kept) as Record<string, string> }
  const response = await fetch(
    `${target}${path}`,
    body.length > 0 ? { ...init, body: new Uint8Array(body) } : init,
  )
  const told = [...response.headers].filter(([name]) => !ofConnection.test(name))
  return {
    status: response.status,
    headers: Object.fromEntries(told),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

function say(response: ServerResponse, { status, headers, body, cutAt }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  if (cutAt === undefined) response.end(body)
  else response.write(body.slice(0, cutAt), () => response.destroy())
}
