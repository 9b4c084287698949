import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The URL for requests of the server to itself; the loopback host is always allowed. */
export const selfUrl = 'http://127.0.0.1'

/** The header with the address of the client of an MCP request; the server always overwrites it. */
export const clientAddressHeader = 'x-heirloom-asker'

/**
 * Returns a `fetch` that calls the routes of the server in process. Requests pass all checks of an
 * outside request, and count for the client at `remoteAddress`. `more` returns further headers.
 */
export const inProcessFetch =
  (app: FastifyInstance, more: () => Readonly<Record<string, string>> = () => ({})) =>
  (remoteAddress: string): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search, host } = new URL(request.url)
    const reply = await app.inject({
      method: request.method as 'GET',
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(request.headers), ...more(), host },
      signal: request.signal,
      remoteAddress,
    })
    return new Response(new Uint8Array(reply.rawPayload), {
      status: reply.statusCode,
      headers: headerPairs(reply.headers),
    })
  }

/** Converts headers of Node to pairs for `Headers` of the platform. */
export function headerPairs(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((it): [string, string] => [name, `${it}`]),
  )
}
