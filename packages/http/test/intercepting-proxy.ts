import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from './listen-on-loopback.ts'

/** A reply of the server, which an interceptor may change. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
  /** The number of bytes of the body after which the connection is cut. */
  readonly cutAt?: number
}

/** A request that reached the proxy. */
export type ProxiedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The headers in their original case, names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** Returns the reply to a request, or `undefined` to cut the connection. */
export type Interceptor = (
  request: ProxiedRequest,
  forward: () => Promise<Reply>,
) => Promise<Reply | undefined>

/** A proxy on loopback that can change requests and replies. */
export type InterceptingProxy = AsyncDisposable & {
  readonly url: string
  readonly requests: readonly ProxiedRequest[]
  /** Sets the interceptor of all further requests. */
  intercept(interceptor: Interceptor): void
}

/** Starts a proxy in front of the server at a URL. */
export async function interceptingProxy(target: string): Promise<InterceptingProxy> {
  const requests: ProxiedRequest[] = []
  let intercept: Interceptor = (_, forward) => forward()
  const server = createServer(async (request, response) => {
    const received = await readRequest(request)
    requests.push(received)
    const reply = await intercept(received, () => forward(target, received))
    if (reply === undefined) response.destroy()
    else send(response, reply)
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url,
    requests,
    intercept: (next) => {
      intercept = next
    },
    [Symbol.asyncDispose]: close,
  }
}

async function readRequest(request: IncomingMessage): Promise<ProxiedRequest> {
  const { method = '', url = '', headers, rawHeaders } = request
  return { method, path: url, headers, rawHeaders, body: await buffer(request) }
}

/** The headers that belong to one connection. */
const connectionHeader = /^(host|connection|content-length|transfer-encoding|keep-alive|expect)$/

async function forward(
  target: string,
  { method, path, headers, body }: ProxiedRequest,
): Promise<Reply> {
  const sent = Object.entries(headers).filter(([name]) => !connectionHeader.test(name))
  const init = { method, headers: Object.fromEntries(sent) as Record<string, string> }
  const response = await fetch(
    `${target}${path}`,
    body.length > 0 ? { ...init, body: new Uint8Array(body) } : init,
  )
  const received = [...response.headers].filter(([name]) => !connectionHeader.test(name))
  return {
    status: response.status,
    headers: Object.fromEntries(received),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

function send(response: ServerResponse, { status, headers, body, cutAt }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  if (cutAt === undefined) response.end(body)
  else response.write(body.slice(0, cutAt), () => response.destroy())
}
