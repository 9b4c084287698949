import { type Catalogue, type CataloguedToken, Failure, tokenId } from '@heirloom/core'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { boundReads } from '../bounds/bound-reads.ts'
import { encodePageFile, type Page } from '../read-page.ts'
import { documentWith, imageMetas } from '../sharing/document-head.ts'
import { preloadsOf, withFirstView } from '../sharing/first-view.ts'
import { originOf, pageHeaders, sendDocument, sendFile, sendImage } from './send-page.ts'
import { accountDocuments, type DocumentParts, viewRoutes } from './views.ts'

const schema = { hide: true }

export declare namespace pageRoute {
  type Parts = DocumentParts & { readonly page: Page | undefined }
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
    viewRoutes(app, page, parts)
    app.register(async (reads) => {
      boundReads(reads)
      accountDocuments(reads, page, parts)
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

type OfToken = { Params: { tokenId: string } }

/** Registers the document and the image of a token. */
function tokenRoutes(
  app: FastifyInstance,
  page: Page,
  { catalogue, images, publicUrl }: DocumentParts,
): void {
  app.get<OfToken>('/token/:tokenId', { schema }, async (request, reply) => {
    const found = await findToken(catalogue, request.params.tokenId)
    if (found === 'unknown') return sendDocument(page, request, reply)
    if (found === undefined) return sendDocument(page, request, reply.code(404))
    const origin = originOf(request, publicUrl)
    const text = documentOfToken(page, found, { origin, hasImage: images !== undefined })
    return sendFile(encodePageFile(page.document.type, text), request, pageHeaders(page, reply))
  })
  if (images === undefined) return
  app.get<OfToken>('/token/:tokenId/card.png', { schema }, async (request, reply) => {
    const drawn = await catalogue?.token(tokenId(request.params.tokenId))
    return sendImage(images, { request, reply, drawn })
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

/** Returns whether a request for an address that has no route comes from a person's browser. */
export function isForPerson({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const isView = !/^\/(api|assets|rpc|mcp)(\/|\?|$)/.test(url)
  return isRead && isView && (headers.accept ?? '').includes('text/html')
}

/** Describes what a shared link shows of a token. */
type Shared = Pick<CataloguedToken, 'tokenId' | 'card' | 'contentHash' | 'originality' | 'erasedAt'>

/** The longest description, in characters; sites show less. */
const longestDescription = 300

/**
 * Returns the page's document for a token, whose head has the title, the description, the canonical
 * address and the image for sites that show a preview of a link (OpenGraph), and which shows the title
 * before any script runs.
 */
function documentOfToken(
  { document, assets }: Page,
  token: Shared,
  { origin, hasImage }: { readonly origin: string; readonly hasImage: boolean },
): string {
  const { tokenId, card, erasedAt } = token
  const shown = erasedAt === undefined ? card : undefined
  const title = shown?.title ?? `Memory No. ${tokenId}`
  const address = `${origin}/token/${tokenId}`
  const description = describe(shown?.description)
  const more = hasImage
    ? imageMetas(`${address}/card.png`, `The seal and the title of ${title}`)
    : []
  const head = [...preloadsOf(`${tokenId}`, assets.keys()), ...more]
  const text = withFirstView(document.bodies.identity.toString(), { ...token, card: shown })
  return documentWith(text, { title, description, address, more: head })
}

function describe(text = ''): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line === '') return 'A memory of an agent, with its provenance.'
  const characters = [...line]
  if (characters.length <= longestDescription) return line
  return `${characters.slice(0, longestDescription - 1).join('')}…`
}
