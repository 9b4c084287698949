import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/**
 * Returns a hook that asks every POST for one of the keys; with no keys, for nothing. Keys are
 * compared by their digests and all of them each time, so that the time taken tells nothing.
 *
 * @throws `request/not-authorized`
 */
export function requireApiKey(apiKeys: readonly string[]) {
  const known = apiKeys.map(digestOf)
  return async ({ method, headers }: FastifyRequest): Promise<void> => {
    if (known.length === 0 || method !== 'POST') return
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const given = digestOf(key)
    const matches = known.filter((digest) => timingSafeEqual(digest, given))
    if (matches.length === 0) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
  }
}
