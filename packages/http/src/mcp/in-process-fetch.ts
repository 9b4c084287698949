import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The name under which the server asks itself; it is a loopback name, so always its own. */
export const selfUrl = 'http://127.0.0.1'

/** The header in which a request to MCP says whom it came from; set here, whatever was sent. */
export const clientAddressHeader = 'x-heirloom-asker'

/**
 * Returns a `fetch` of a server's own routes, which passes all that a request from outside does and
 * counts for the client at an address.
 */
export const inProcessFetch =
  (app: FastifyInstance) =>
  (remoteAddress: string): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search, host } = new URL(request.url)
    const reply = await app.inject({
      method: request.method as 'GET',
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(request.headers), host },
      signal: request.signal,
      remoteAddress,
    })
    return new Response(new Uint8Array(reply.rawPayload), {
      status: reply.statusCode,
      headers: headerPairs(reply.headers),
    })
  }

/** Returns the headers of Node as the platform takes them. */
export function headerPairs(headers: IncomingHttpHeaders | OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((it): [string, string] => [name, `${it}`]),
  )
}
