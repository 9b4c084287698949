import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientOf } from '../request/client-of.ts'
import { inFlight } from './in-flight.ts'

/** The default limit of concurrent catalogue reads for each client. */
export const maxReadsAtOnce = 32

/**
 * Bounds the concurrent catalogue reads of each client, so that one client cannot delay all others.
 * A read ends when its response is computed, however slowly the client then reads it.
 */
export function boundReads(routes: FastifyInstance, maxPerClient = maxReadsAtOnce): void {
  const flight = inFlight({ max: 0, maxPerClient, what: 'reads of the catalogue at once' })
  const releases = new WeakMap<FastifyRequest, () => void>()
  const release = (request: FastifyRequest) => {
    releases.get(request)?.()
    releases.delete(request)
  }
  routes.addHook('preHandler', (request, _, done) => {
    releases.set(request, flight.enter(clientOf(request), 1))
    done()
  })
  routes.addHook('onSend', (request, _reply, _payload, done) => {
    release(request)
    done()
  })
  routes.addHook('onResponse', (request, _, done) => {
    release(request)
    done()
  })
}
