import { type Catalogue, type CataloguedToken, Failure, tokenId } from '@heirloom/core'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { addressPattern } from '../../api/address.ts'
import { type Coding, encodePageFile, type Page, type PageFile } from '../read-page.ts'
import { clientOf } from '../request/client-of.ts'
import { isUnchanged } from '../request/is-unchanged.ts'
import type { CardImages } from '../sharing/card-images.ts'
import { documentWith } from '../sharing/document-head.ts'
import { documentOfToken } from '../sharing/share-head.ts'
import { headOfView } from '../sharing/view-head.ts'

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

/** The paths of the page's views but those of a token and an account; the browser chooses the view. */
export const views = [
  ...(['/', '/mine', '/create', '/activity', '/operate'] as const),
  ...(['/docs', '/docs/guides/:guide'] as const),
] as const

const schema = { hide: true }

export declare namespace pageRoute {
  type Parts = {
    readonly page: Page | undefined
    /** Finds tokens for the heads of their documents; without it those are that of the page. */
    readonly catalogue?: Pick<Catalogue, 'token'> | undefined
    /** Draws the images of tokens; without it there are none. */
    readonly images?: CardImages | undefined
    /** The origin at which clients reach the server; that of each request when absent. */
    readonly publicUrl?: string | undefined
  }
}

/** `GET /` and the paths of the page's views; without a built page, redirects to the API as OpenAPI. */
export const pageRoute =
  ({ page, ...parts }: pageRoute.Parts): FastifyPluginAsync =>
  async (app) => {
    if (page === undefined) {
      for (const path of ['/', '/docs']) {
        app.get(path, { schema }, async (_, reply) => reply.redirect('/openapi.json'))
      }
      return
    }
    for (const view of views) {
      app.get(view, { schema }, async (request, reply) =>
        sendView(page, { request, reply, ...parts }),
      )
    }
    app.get<OfAccount>('/account/:address', { schema }, async (request, reply) => {
      const isAddress = addressRegex.test(request.params.address)
      if (!isAddress) return sendDocument(page, request, reply.code(404))
      return sendView(page, { request, reply, ...parts })
    })
    tokenRoutes(app, page, parts)
    app.get<{ Params: { name: string } }>('/assets/:name', { schema }, async (request, reply) => {
      const file = page.assets.get(request.params.name)
      const { method, url: path } = request
      if (file === undefined) throw new Failure('route/not-found', { method, path })
      // The name of an asset changes with its content.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendFile(file, request, reply)
    })
  }

const addressRegex = new RegExp(addressPattern)

type OfAccount = { Params: { address: string } }

type OfToken = { Params: { tokenId: string } }

type View = Pick<pageRoute.Parts, 'publicUrl'> & {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Sends the document of a view, with its own title, description and address. */
function sendView(page: Page, { request, reply, publicUrl }: View): FastifyReply {
  const head = headOfView(request.url, originOf(request, publicUrl))
  if (head === undefined) return sendDocument(page, request, reply.code(404))
  const text = documentWith(page.document.bodies.identity.toString(), head)
  return sendFile(encodePageFile(page.document.type, text), request, pageHeaders(reply))
}

const originOf = ({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string =>
  publicUrl ?? `${protocol}://${host}`

/** Registers the document and the image of a token. */
function tokenRoutes(
  app: FastifyInstance,
  page: Page,
  { catalogue, images, publicUrl }: Omit<pageRoute.Parts, 'page'>,
): void {
  app.get<OfToken>('/token/:tokenId', { schema }, async (request, reply) => {
    const found = await findToken(catalogue, request.params.tokenId)
    if (found === 'unknown') return sendDocument(page, request, reply)
    if (found === undefined) return sendDocument(page, request, reply.code(404))
    const origin = originOf(request, publicUrl)
    const document = page.document.bodies.identity.toString()
    const text = documentOfToken(document, found, { origin, hasImage: images !== undefined })
    return pageHeaders(reply).type(page.document.type).send(text)
  })
  if (images === undefined) return
  app.get<OfToken>('/token/:tokenId/card.png', { schema }, async (request, reply) => {
    const { method, url: path } = request
    const token = await catalogue?.token(tokenId(request.params.tokenId))
    if (token === undefined) throw new Failure('route/not-found', { method, path })
    const etag = images.etagOf(token)
    reply.header('etag', etag).header('cache-control', 'public, max-age=300')
    reply.header('x-content-type-options', 'nosniff')
    if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('image/png').send(await images.draw(token, clientOf(request)))
  })
}

/**
 * Returns the token of an address; `unknown` while the catalogue cannot say, so that the page, which
 * asks again, can.
 */
async function findToken(
  catalogue: Pick<Catalogue, 'token'> | undefined,
  text: string,
): Promise<CataloguedToken | 'unknown' | undefined> {
  if (!isTokenId(text)) return undefined
  try {
    return catalogue === undefined ? 'unknown' : await catalogue.token(tokenId(text))
  } catch {
    return 'unknown'
  }
}

const isTokenId = (text: string): boolean => /^(0|[1-9]\d{0,77})$/.test(text)

/** Sends the document of the page, also as the body of a response that says that there is no page. */
export function sendDocument(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendFile(page.document, request, pageHeaders(reply))
}

function pageHeaders(reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-cache')
  reply.header('content-security-policy', pagePolicy)
  reply.header('x-content-type-options', 'nosniff')
  return reply.header('referrer-policy', 'no-referrer')
}

/** Returns whether a request for an address that has no route comes from a person's browser. */
export function isForPerson({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const isView = !/^\/(api|assets|rpc|mcp)(\/|\?|$)/.test(url)
  return isRead && isView && (headers.accept ?? '').includes('text/html')
}

/** Sends a file in the best coding, or without its body to a client that has it; an error is sent whole. */
function sendFile(
  { type, etag, bodies }: PageFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('etag', etag).header('vary', 'accept-encoding')
  reply.header('x-content-type-options', 'nosniff')
  const isFound = reply.statusCode === 200
  if (isFound && isUnchanged(headers['if-none-match'], etag)) return reply.code(304).send()
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
