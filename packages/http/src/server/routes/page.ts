import { Failure } from '@heirloom/core'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Coding, Page, PageFile } from '../read-page.ts'

/** The content security policy: the page loads its own files, calls its own server, shows wallet icons. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The paths of the page's views; the browser chooses the view. */
export const views = ['/', '/token/:tokenId', '/mine', '/create'] as const

const schema = { hide: true }

/** `GET /` and the paths of the page's views; without a built page, a redirect to the API reference. */
export const pageRoute =
  (page: Page | undefined): FastifyPluginAsync =>
  async (app) => {
    if (page === undefined) {
      app.get('/', { schema }, async (_, reply) => reply.redirect('/docs'))
      return
    }
    for (const view of views) {
      app.get(view, { schema }, async (request, reply) => {
        reply.header('cache-control', 'no-cache')
        reply.header('content-security-policy', pagePolicy)
        reply.header('referrer-policy', 'no-referrer')
        return sendFile(page.document, request, reply)
      })
    }
    app.get<{ Params: { name: string } }>('/assets/:name', { schema }, async (request, reply) => {
      const file = page.assets.get(request.params.name)
      const { method, url: path } = request
      if (file === undefined) throw new Failure('route/not-found', { method, path })
      // The name of an asset changes with its content.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendFile(file, request, reply)
    })
  }

function sendFile(
  { type, etag, bodies }: PageFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('etag', etag).header('vary', 'accept-encoding')
  reply.header('x-content-type-options', 'nosniff')
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  const coding = codingFor(headers['accept-encoding'])
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(type).send(bodies[coding])
}

/** Returns the best of the codings that a client accepts. */
export function codingFor(accepted = ''): Coding {
  const codings = accepted
    .toLowerCase()
    .split(',')
    .map((it) => it.replaceAll(/\s/g, ''))
    .filter((it) => !/;q=0(\.0*)?$/.test(it))
    .map((it) => it.replace(/;.*/, ''))
  return (['br', 'gzip'] as const).find((it) => codings.includes(it)) ?? 'identity'
}
