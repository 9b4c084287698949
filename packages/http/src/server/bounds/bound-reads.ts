import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientOf } from '../request/client-of.ts'
import { inFlight } from './in-flight.ts'
import { clientTurns } from './turns.ts'

/** The default limit of concurrent catalogue reads for each client. */
export const maxReadsAtOnce = 32

/** So many reads of one client are computed at once; the others wait behind those of other clients. */
const computedAtOnce = 2

/**
 * Bounds the concurrent catalogue reads of each client, so that one client cannot delay all others.
 * A read ends when its response is computed, however slowly the client then reads it.
 */
export function boundReads(routes: FastifyInstance, maxPerClient = maxReadsAtOnce): void {
  const flight = inFlight({ max: 0, maxPerClient, what: 'reads of the catalogue at once' })
  const turns = clientTurns(computedAtOnce)
  const releases = new WeakMap<FastifyRequest, () => void>()
  const release = (request: FastifyRequest) => {
    releases.get(request)?.()
    releases.delete(request)
  }
  routes.addHook('preHandler', async (request) => {
    const client = clientOf(request)
    const leave = flight.enter(client, 1)
    const turn = turns.take(client)
    releases.set(request, () => {
      turn.end()
      leave()
    })
    await turn.begun
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
