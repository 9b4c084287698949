import type { Catalogue } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'

/**
 * Names the newest event before each read in the header `x-newest-event`, `start` before the first, so
 * that a reader can subscribe to the events after it and misses none.
 *
 * @throws `catalogue/unavailable`
 */
export function nameNewestEvent(
  routes: FastifyInstance,
  { newestEventId }: Pick<Catalogue, 'newestEventId'>,
): void {
  routes.addHook('preHandler', async (_, reply) => {
    reply.header('x-newest-event', (await newestEventId()) ?? 'start')
  })
}
