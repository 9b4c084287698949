import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A server between a client and another, which listens in. */
export type Listener = {
  readonly url: string
  /** All that the client sent, a text for each request. */
  readonly heard: readonly string[]
  readonly close: () => Promise<void>
}

/** Starts a listener in front of a server, on a free loopback port. */
export async function startListener(target: string): Promise<Listener> {
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    heard.push(`${request.method} ${request.url} ${request.rawHeaders.join(' ')} ${body}`)
    await passOn(request, body, { target, response })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

type Way = { readonly target: string; readonly response: ServerResponse }

async function passOn(
  { method = 'GET', url, headers }: IncomingMessage,
  body: Buffer,
  { target, response }: Way,
): Promise<void> {
  const { host: _, connection: __, ...sent } = headers as Record<string, string>
  const init = body.length === 0 ? {} : { body: new Uint8Array(body) }
  const reply = await fetch(`${target}${url}`, { method, headers: sent, ...init })
  response.writeHead(reply.status, passedOn(reply))
  response.end(Buffer.from(await reply.arrayBuffer()))
}

// What was decoded on the way has another length.
const ofTheWay = ['content-encoding', 'content-length', 'transfer-encoding', 'connection']

const passedOn = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => !ofTheWay.includes(name)))
