import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inFlight } from './in-flight.ts'
import { clientOf } from '../request/client-of.ts'

/** How many reads of the catalogue a client may have under way at once, unless it is said. */
export const mostReadsAtOnce = 32

/**
 * Lets each client have a few reads of the catalogue under way, so that one cannot take the turns of
 * all others. A read is over when its answer is made, however slowly the client then takes it.
 */
export function readingTurns(routes: FastifyInstance, most = mostReadsAtOnce): void {
  const flight = inFlight({ most: 0, mostPerClient: most, what: 'reads of the catalogue at once' })
  const ends = new WeakMap<FastifyRequest, () => void>()
  const over = (request: FastifyRequest) => {
    ends.get(request)?.()
    ends.delete(request)
  }
  routes.addHook('preHandler', (request, _, done) => {
    ends.set(request, flight.enter(clientOf(request), 1))
    done()
  })
  routes.addHook('onSend', (request, _reply, _payload, done) => {
    over(request)
    done()
  })
  routes.addHook('onResponse', (request, _, done) => {
    over(request)
    done()
  })
}
