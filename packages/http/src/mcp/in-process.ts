import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

/** Returns a `fetch` of a server's own routes, which passes all that a request from outside does. */
export const inProcess =
  (app: FastifyInstance): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search, host } = new URL(request.url)
    const reply: LightMyRequestResponse = await app.inject({
      method: request.method as 'GET',
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(request.headers), host },
      signal: request.signal,
    })
    return new Response(new Uint8Array(reply.rawPayload), {
      status: reply.statusCode,
      headers: sent(reply),
    })
  }

function sent({ headers }: LightMyRequestResponse): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((it): [string, string] => [name, `${it}`]),
  )
}
