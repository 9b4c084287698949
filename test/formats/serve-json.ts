import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on loopback that stands in for one of another program. */
export type StandIn = { readonly url: string; readonly close: () => Promise<void> }

/** Answers a request with a value as JSON, with bytes of its own, or by itself. */
export type Answer = (
  request: IncomingMessage & { readonly address: URL; readonly body: Buffer },
  response: ServerResponse,
) => unknown

/** Starts a server on a free port of loopback. */
export async function serveJson(answer: Answer): Promise<StandIn> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const address = new URL(request.url ?? '/', 'http://localhost')
    const body = Buffer.concat(pieces)
    send(response, await answer(Object.assign(request, { address, body }), response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends a value as JSON, unless the answer was sent already. */
function send(response: ServerResponse, value: unknown): void {
  if (response.headersSent) return
  response.setHeader('content-type', 'application/json')
  if (value === undefined) response.statusCode = 404
  response.end(Buffer.isBuffer(value) ? value : JSON.stringify(value ?? { detail: 'Not found' }))
}
