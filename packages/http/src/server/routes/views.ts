import type { Account, Catalogue } from '@heirloom/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { encodePageFile, type Page } from '../read-page.ts'
import type { CardImages } from '../sharing/card-images.ts'
import {
  documentWith,
  drawingOfView,
  headOfView,
  imageOfView,
  unlisted,
} from '../sharing/document-head.ts'
import { originOf, pageHeaders, sendDocument, sendFile, sendImage } from './send-page.ts'

/** The paths of the page's views but those of a token and an account; the browser chooses the view. */
const views = [
  ...(['/', '/mine', '/create', '/activity', '/operate'] as const),
  ...(['/docs', '/docs/guides/:guide'] as const),
] as const

const schema = { hide: true }

/** The parts that documents are made of. */
export type DocumentParts = {
  /** Finds tokens for the heads of documents; without it those are that of the page. */
  readonly catalogue?: Pick<Catalogue, 'token' | 'tokens'> | undefined
  /** Draws the images of documents; without it there are none. */
  readonly images?: CardImages | undefined
  /** The origin at which clients reach the server; that of each request when absent. */
  readonly publicUrl?: string | undefined
}

type OfAccount = { Params: { address: string } }

/** Registers the documents and the images of the views but those of a token and an account. */
export function viewRoutes(
  app: FastifyInstance,
  page: Page,
  { images, publicUrl }: DocumentParts,
): void {
  for (const view of views) {
    app.get(view, { schema }, async (request, reply) => {
      const hasImage = images !== undefined
      const url = request.url
      return sendView(page, { request, reply, publicUrl, url, hasImage, hasContent: true })
    })
    if (images === undefined) continue
    app.get(`${view === '/' ? '' : view}/card.png`, { schema }, async (request, reply) => {
      const path = imagePath(request)
      return sendImage(images, { request, reply, drawn: drawingOfView(path === '' ? '/' : path) })
    })
  }
}

/** Returns the path of the view whose image is requested. */
const imagePath = ({ url }: FastifyRequest): string =>
  (url.split('?')[0] ?? '').replace(/\/card\.png$/, '')

/** Registers the document and the image of an account; there is none of an account without memories. */
export function accountDocuments(app: FastifyInstance, page: Page, parts: DocumentParts): void {
  const { catalogue, images, publicUrl } = parts
  app.get<OfAccount>('/account/:address', { schema }, async (request, reply) => {
    const address = toAccount(request.params.address)
    if (address === undefined) return sendDocument(page, request, reply.code(404))
    const holds = await hasMemories(catalogue, address)
    const hasImage = images !== undefined && holds === true
    const view = { url: `/account/${address}`, hasImage, hasContent: holds !== false }
    return sendView(page, { request, reply, publicUrl, ...view })
  })
  if (images === undefined) return
  app.get<OfAccount>('/account/:address/card.png', { schema }, async (request, reply) => {
    const address = toAccount(request.params.address)
    const holds = address !== undefined && (await hasMemories(catalogue, address)) === true
    const drawn = holds ? drawingOfView(`/account/${address}`) : undefined
    return sendImage(images, { request, reply, drawn })
  })
}

/** Returns the account of an address, in its one spelling; `undefined` for a text that is none. */
function toAccount(text: string): Account | undefined {
  try {
    return readAddress(text)
  } catch {
    return undefined
  }
}

/** Returns whether an account made or owns a memory; `undefined` while the catalogue cannot say. */
async function hasMemories(
  catalogue: DocumentParts['catalogue'],
  of: Account,
): Promise<boolean | undefined> {
  try {
    const filters = [{ creator: of }, { owner: of }]
    const pages = filters.map((filter) => catalogue?.tokens({ ...filter, limit: 1 }))
    const found = await Promise.all(pages)
    return catalogue && found.some((it) => (it?.items.length ?? 0) > 0)
  } catch {
    return undefined
  }
}

type View = Pick<DocumentParts, 'publicUrl'> & {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The path and the query that the document is of. */
  readonly url: string
  readonly hasImage: boolean
  /** Whether there is something to find on it. */
  readonly hasContent: boolean
}

/** Sends the document of a view, with its own title, description, address and image. */
function sendView(page: Page, { request, reply, publicUrl, url, ...view }: View): FastifyReply {
  const head = headOfView(url, originOf(request, publicUrl))
  if (head === undefined) return sendDocument(page, request, reply.code(404))
  const more = [
    ...(head.more ?? []),
    ...(view.hasImage ? imageOfView(head.address, head.title) : []),
    ...(view.hasContent ? [] : [unlisted]),
  ]
  const text = documentWith(page.document.bodies.identity.toString(), { ...head, more })
  return sendFile(encodePageFile(page.document.type, text), request, pageHeaders(page, reply))
}
