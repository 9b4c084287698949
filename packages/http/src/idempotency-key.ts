import { createHash, hash } from 'node:crypto'
import { Failure, type Idempotency } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerKey } from './api-keys.ts'

/** The header that makes a write happen once (draft-ietf-httpapi-idempotency-key-header-07). */
export const idempotencyHeader = 'idempotency-key'

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
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'POST') return
    const key = readKey(request.headers[idempotencyHeader])
    if (key !== undefined) request.idempotency = idempotencyOf(request, key)
  })
}

const fingerprints = new WeakMap<FastifyRequest, string>()

/** Takes the fingerprint of a request that has an idempotency key, given its body as it arrived. */
export function noteBody(request: FastifyRequest, body: Uint8Array): void {
  if (request.headers[idempotencyHeader] === undefined) return
  fingerprints.set(request, fingerprintOf(request, body))
}

function idempotencyOf(request: FastifyRequest, key: string): Idempotency {
  const apiKey = bearerKey(request.headers)
  const principal = apiKey === undefined ? '' : hash('sha256', apiKey)
  return {
    key: hash('sha256', `${principal}\n${key}`),
    fingerprint: fingerprints.get(request) ?? fingerprintOf(request, Buffer.of()),
  }
}

function fingerprintOf({ method, url }: FastifyRequest, body: Uint8Array): string {
  const [path] = url.split('?')
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex')
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
