import { Failure } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import type {} from '../plugins/draining.ts'

/** The largest number of requests of one connection that wait for their responses. */
export const maxUnanswered = 64

/**
 * Closes each connection that sends more requests than it takes responses (pipelining, RFC 9112,
 * 9.3.2): every response that nobody reads takes memory, and the limits of a client count requests.
 */
export function boundPipelining(app: FastifyInstance): void {
  app.addHook('onRequest', ({ progress, raw }, _, done) => {
    if ((progress?.others.length ?? 0) <= maxUnanswered) return done()
    raw.socket.destroy()
    const what = 'requests at once on one connection'
    done(new Failure('request/too-many', { what, limit: maxUnanswered, retryAfterSeconds: 1 }))
  })
}
