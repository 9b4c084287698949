import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientOf } from './client-of.ts'

/** How many reads of the catalogue a client may have under way at once, unless it is said. */
export const mostReadsAtOnce = 32

/**
 * Lets each client have a few reads of the catalogue under way, so that one cannot take the turns of
 * all others. A read is over when its answer is made, however slowly the client then takes it.
 */
export function readingTurns(routes: FastifyInstance, most = mostReadsAtOnce): void {
  const under = new Map<string, number>()
  const ends = new WeakMap<FastifyRequest, () => void>()
  const begin = (client: string) => {
    const count = under.get(client) ?? 0
    if (count >= most) throw tooMany(most)
    under.set(client, count + 1)
    return () => {
      const left = (under.get(client) ?? 1) - 1
      if (left === 0) under.delete(client)
      else under.set(client, left)
    }
  }
  const over = (request: FastifyRequest) => {
    ends.get(request)?.()
    ends.delete(request)
  }
  routes.addHook('preHandler', (request, _, done) => {
    ends.set(request, begin(clientOf(request)))
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

const tooMany = (limit: number) =>
  new Failure('request/too-many', {
    ...{ what: 'reads of the catalogue at once', limit, retryAfterSeconds: 1 },
  })
