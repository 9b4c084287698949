import { short } from '@heirloom/adapters/bulk'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientOf } from '../request/client-of.ts'
import { connectionBounds } from './bound-connections.ts'
import { type DownloadRoom, downloadRoom } from './download-budget.ts'
import type { Bounds } from '../../config/read-bounds.ts'
import { requestRate } from './request-rate.ts'
import { slowReaders } from './close-slow-readers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts so many requests more for the client of one, which brought them with it.
     *
     * @throws `request/too-many`
     */
    countMore: (request: FastifyRequest, more: number) => void
  }
}

/** Bounds the connections and the requests of each client; what a server does not bound costs nothing. */
export function boundClients(app: FastifyInstance, bounds: Partial<Bounds>): void {
  const { requestsPerMinute = 0, slowReaderSeconds = 0 } = bounds
  const { connections: most = 0, connectionsPerClient: mostPerClient = 0 } = bounds
  connectionBounds(app.server, { most, mostPerClient })
  if (slowReaderSeconds > 0) slowReaders(app.server, slowReaderSeconds * 1000)
  const count = requestsPerMinute === 0 ? () => {} : requestRate({ perMinute: requestsPerMinute })
  app.decorate('countMore', (request: FastifyRequest, more: number) => {
    const client = clientOf(request)
    for (let counted = 0; counted < more; counted++) count(client)
  })
  if (requestsPerMinute === 0) return
  app.addHook('onRequest', (request, _, done) => {
    count(clientOf(request))
    done()
  })
}

/** Returns the room for large memories; those that are not opened beside the event loop need none. */
export function roomFor({ downloadBytes: bytes = 0 }: Partial<Bounds>): DownloadRoom {
  return downloadRoom({ bytes, small: short })
}
