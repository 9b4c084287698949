import { hash } from 'node:crypto'
import { Failure, type Idempotency } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerKey, idempotencyHeader } from '../../api/headers.ts'
import { isSigned } from '../request/proof-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The idempotency of the request; absent if it has no key. */
    idempotency: Idempotency | undefined
  }
  interface FastifyContextConfig {
    /** Whether a wallet signs the digest of the body. */
    isBodySigned?: boolean
  }
}

/**
 * Decorates every POST with its idempotency. Equal keys of different API keys never collide.
 *
 * @throws `request/malformed`
 */
export function idempotencyKeys(app: FastifyInstance): void {
  app.decorateRequest('idempotency', undefined)
  app.addHook('preValidation', (request, _, done) => {
    const key = request.method === 'POST' && idempotencyKeyOf(request)
    if (key) request.idempotency = { key, fingerprint: fingerprintOf(request) }
    done()
  })
}

/**
 * Returns the text before the body in the fingerprint of a request; `undefined` without a key. The
 * fingerprint is the sha256 of both. Where a wallet signs the digest of the body, the fingerprint is
 * that digest.
 */
export function fingerprintHeading(request: FastifyRequest): string | undefined {
  if (request.routeOptions.config.isBodySigned || isSigned(request.headers)) return ''
  if (request.headers[idempotencyHeader] === undefined) return undefined
  const [path] = request.url.split('?')
  return `${request.method} ${path}\n`
}

/**
 * Returns the idempotency key of a request, apart from the equal keys of other API keys; `undefined`
 * without one.
 *
 * @throws `request/malformed`
 */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = readIdempotencyKey(headers[idempotencyHeader])
  if (key === undefined) return undefined
  const apiKey = bearerKey(headers)
  const principal = apiKey === undefined ? '' : hash('sha256', apiKey)
  return hash('sha256', `${principal}\n${key}`)
}

function fingerprintOf(request: FastifyRequest): string {
  return request.receivedBody?.sum ?? hash('sha256', fingerprintHeading(request) ?? '')
}

/**
 * Reads an idempotency key: a string of RFC 8941, or the same without quotes. A key without quotes
 * has no comma, because Node joins two headers of one name by a comma.
 *
 * @throws `request/malformed`
 */
export function readIdempotencyKey(
  header: string | readonly string[] | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const key = typeof header === 'string' ? unquoted(header) : ''
  if (/^[!-~]{1,200}$/.test(key)) return key
  throw new Failure('request/malformed', {
    where: `header ${idempotencyHeader}`,
    problem: 'must be one string of 1 to 200 visible ASCII characters',
  })
}

function unquoted(text: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? []
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1')
  return /[",\\]/.test(text) ? '' : text
}
