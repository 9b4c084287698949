import { Failure } from '@heirloom/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Coding, Page, PageFile } from '../read-page.ts'
import { clientOf } from '../request/client-of.ts'
import type { Drawn } from '../sharing/card-drawing.ts'
import type { CardImages } from '../sharing/card-images.ts'

/**
 * Returns the content security policy: the page loads its own files, calls its own server and the node
 * that it reads, if any, and shows wallet icons.
 */
export const pagePolicy = (node?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${sourceOf(node)}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Returns the origin of a node as a source of a policy; a host may have characters that end a source. */
function sourceOf(node: string | undefined): string {
  const { origin } = new URL(node ?? 'none:')
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? ` ${origin}` : ''
}

const ownPolicy = pagePolicy()

/** Sends the document of the page, also as the body of a response that says that there is no page. */
export function sendDocument(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendFile(page.document, request, pageHeaders(page, reply))
}

/** Adds the headers of a document. */
export function pageHeaders({ policy = ownPolicy }: Page, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-cache')
  reply.header('content-security-policy', policy)
  reply.header('x-content-type-options', 'nosniff')
  return reply.header('referrer-policy', 'no-referrer')
}

/** Sends a file in the best coding, or without its body to a client that has it; an error is sent whole. */
export function sendFile(
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

/** A coding with its weight, as RFC 9110 has it. */
const weighed = /^\s*([\w*-]+)\s*(?:;\s*q=(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)\s*)?$/

/** Returns the best of the codings that a client accepts; one whose weight is none is not accepted. */
export function codingFor(accepted = ''): Coding {
  const codings = accepted
    .toLowerCase()
    .split(',')
    .map((it) => weighed.exec(it) ?? [])
    .filter(([, , weight = '1']) => Number(weight) > 0)
    .map(([, coding]) => coding)
  return (['br', 'gzip'] as const).find((it) => codings.includes(it)) ?? 'identity'
}

/** Returns the origin at which a request reached the server, or the one that is configured. */
export const originOf = (
  { protocol, host }: FastifyRequest,
  publicUrl: string | undefined,
): string => publicUrl ?? `${protocol}://${host}`

type Image = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly drawn: Drawn | undefined
}

/** Sends an image, or nothing to a site that has it. */
export async function sendImage(images: CardImages, { request, reply, drawn }: Image) {
  const { method, url: path } = request
  if (drawn === undefined) throw new Failure('route/not-found', { method, path })
  const etag = images.etagOf(drawn)
  reply.header('etag', etag).header('cache-control', 'public, max-age=300')
  reply.header('x-content-type-options', 'nosniff')
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('image/png').send(await images.draw(drawn, clientOf(request)))
}

/**
 * Returns whether a client has what `etag` names, as its `if-none-match` says: a list of tags, which
 * are compared weakly, or `*` for anything (RFC 9110, 13.1.2).
 */
function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  const condition = ifNoneMatch?.trim() ?? ''
  if (condition === '*') return true
  const tags: readonly string[] = condition.match(/"[^"]*"/g) ?? []
  return tags.includes(etag.replace(/^W\//, ''))
}
