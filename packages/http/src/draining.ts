import { EventEmitter, once } from 'node:events'
import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Makes closing a server end what it accepted and nothing more: requests under way are carried
 * out and answered, also when their clients are gone; later ones on connections still open are
 * refused; and once none is under way all connections are closed, also those that never sent one.
 */
export function draining(app: FastifyInstance): void {
  const events = new EventEmitter()
  const underWay = new Map<FastifyRequest, () => void>()
  let stopping = false
  const settle = () => {
    if (!stopping || underWay.size > 0) return
    app.server.closeAllConnections()
    events.emit('settled')
  }
  app.addHook('onRequest', async (request, reply) => {
    const handled = new Promise<void>((resolve) => underWay.set(request, resolve))
    Promise.all([handled, answered(reply)]).then(() => {
      underWay.delete(request)
      settle()
    })
    if (stopping) throw new Failure('service/stopping', {})
  })
  app.addHook('onSend', async (request, reply) => {
    if (stopping) reply.header('connection', 'close')
    underWay.get(request)?.()
  })
  app.addHook('preClose', async () => {
    stopping = true
    settle()
  })
  app.addHook('onClose', async () => {
    if (underWay.size > 0) await once(events, 'settled')
  })
}

// A reply to a client that is gone is never finished; its connection only closes.
function answered({ raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    raw.once('finish', resolve).once('close', resolve)
  })
}
