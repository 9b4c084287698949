import { createHash, hash } from 'node:crypto'
import { Failure, type Idempotency } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerKey } from '../../api/bearer-key.ts'
import { idempotencyHeader } from '../../api/idempotency-header.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's idempotency key says; absent when it has none. */
    idempotency: Idempotency | undefined
  }
}

/**
 * Gives every POST what its idempotency key says. Keys of different API keys never meet.
 *
 * @throws `request/malformed`
 */
export function idempotencyKeys(app: FastifyInstance): void {
  app.decorateRequest('idempotency', undefined)
  app.addHook('preValidation', (request, _, done) => {
    const key = request.method === 'POST' && readKey(request.headers[idempotencyHeader])
    if (key) request.idempotency = idempotencyOf(request, key)
    done()
  })
}

const fingerprints = new WeakMap<FastifyRequest, string>()

/** Returns what the fingerprint of a request begins with; nothing where it has no key. */
export function headingOf(request: FastifyRequest): string | undefined {
  if (request.headers[idempotencyHeader] === undefined) return undefined
  const [path] = request.url.split('?')
  return `${request.method} ${path}\n`
}

/** Returns the fingerprint of a request, given its body as it arrived. */
export function fingerprintOf(heading: string, body: Uint8Array): string {
  return createHash('sha256').update(heading).update(body).digest('hex')
}

/** Keeps the fingerprint of a request that has a body. */
export function keepFingerprint(request: FastifyRequest, fingerprint: string): void {
  fingerprints.set(request, fingerprint)
}

function idempotencyOf(request: FastifyRequest, key: string): Idempotency {
  const apiKey = bearerKey(request.headers)
  const principal = apiKey === undefined ? '' : hash('sha256', apiKey)
  return {
    key: hash('sha256', `${principal}\n${key}`),
    fingerprint: fingerprints.get(request) ?? fingerprintOf(headingOf(request) ?? '', Buffer.of()),
  }
}

/**
 * Reads an idempotency key: a string of RFC 8941, or the same without quotes. Of one without, a
 * comma is none of its letters: between two headers of one name it is where they were joined.
 *
 * @throws `request/malformed`
 */
export function readKey(header: string | readonly string[] | undefined): string | undefined {
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
