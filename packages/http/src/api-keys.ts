import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Refuses a request by throwing. */
type Guard = (request: FastifyRequest) => void

/**
 * Returns a hook that asks every request for one of the keys; with no keys, for nothing. Keys are
 * compared by their digests and all of them each time, so that the time taken tells nothing.
 *
 * @throws `request/not-authorized`
 */
export function requireApiKey(apiKeys: readonly string[]): Guard {
  const known = apiKeys.map(digestOf)
  return ({ headers }) => {
    if (known.length === 0) return
    const given = digestOf(bearerKey(headers) ?? '')
    const matches = known.filter((digest) => timingSafeEqual(digest, given))
    if (matches.length === 0) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
  }
}

/** Returns a hook that leaves everything but a POST alone. */
export function ofWrites(guard: Guard): Guard {
  return (request) => {
    if (request.method === 'POST') guard(request)
  }
}

/** Returns the key that a request gives as its Bearer credentials. */
export function bearerKey({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}
