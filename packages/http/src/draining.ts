import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What has become of a request: it is over once it was handled and nobody waits for its reply. */
type Progress = { handled: boolean; answered: boolean }

/**
 * Makes closing a server end what it accepted and nothing more: requests under way are carried
 * out and answered, also when their clients are gone; later ones on connections still open are
 * refused; and once none is under way all connections are closed, also those that never sent one.
 */
export function draining(app: FastifyInstance): void {
  const events = new EventEmitter()
  const underWay = new Map<FastifyRequest, Progress>()
  let stopping = false
  const settle = () => {
    if (!stopping || underWay.size > 0) return
    app.server.closeAllConnections()
    events.emit('settled')
  }
  const advance = (request: FastifyRequest, step: keyof Progress) => {
    const progress = underWay.get(request)
    if (progress === undefined) return
    progress[step] = true
    if (!progress.handled || !progress.answered) return
    underWay.delete(request)
    settle()
  }
  // A reply to a client that is gone is never finished; its connection only closes.
  const connections = new WeakSet<Socket>()
  const listen = (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => {
      const ended = [...underWay.keys()].filter(({ raw }) => raw.socket === socket)
      for (const request of ended) advance(request, 'answered')
    })
  }
  app.addHook('onRequest', (request, _, done) => {
    underWay.set(request, { handled: false, answered: false })
    if (!connections.has(request.raw.socket)) listen(request.raw.socket)
    done(stopping ? new Failure('service/stopping', {}) : undefined)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    advance(request, 'handled')
    done(null, payload)
  })
  app.addHook('onResponse', (request, _, done) => {
    advance(request, 'answered')
    done()
  })
  app.addHook('preClose', async () => {
    stopping = true
    settle()
  })
  app.addHook('onClose', async () => {
    if (underWay.size > 0) await once(events, 'settled')
  })
}
