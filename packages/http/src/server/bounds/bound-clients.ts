import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bounds } from '../../config/read-bounds.ts'
import { clientOf } from '../request/client-of.ts'
import { boundConnections } from './bound-connections.ts'
import { boundPipelining } from './bound-pipelining.ts'
import { closeSlowReaders } from './close-slow-readers.ts'
import { type DownloadBudget, downloadBudget } from './download-budget.ts'
import { requestRate } from './request-rate.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts `more` further requests for the client of a request, such as the messages of a batch.
     *
     * @throws `request/too-many`
     */
    countMore: (request: FastifyRequest, more: number) => void
  }
}

/** Bounds the connections and the requests of each client. A bound of zero adds no hook. */
export function boundClients(app: FastifyInstance, bounds: Partial<Bounds>): void {
  const { requestsPerMinute = 0, slowReaderSeconds = 0 } = bounds
  const { connections: max = 0, connectionsPerClient: maxPerClient = 0 } = bounds
  boundConnections(app.server, { max, maxPerClient })
  boundPipelining(app)
  if (slowReaderSeconds > 0) closeSlowReaders(app.server, slowReaderSeconds * 1000)
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

/** Returns the budget for downloads. Short documents are not counted. */
export function downloadBudgetFor({
  downloadBytes: maxBytes = 0,
}: Partial<Bounds>): DownloadBudget {
  return downloadBudget({ maxBytes, uncountedBytes })
}

/** The length up to which a document is not counted: all connections together hold 160 MiB of them. */
const uncountedBytes = 16_384
