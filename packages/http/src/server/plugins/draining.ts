import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'

/** What has become of a request: it is over once it was handled and nobody waits for its reply. */
type Progress = { readonly others: Progress[]; handled: boolean; answered: boolean }

declare module 'fastify' {
  interface FastifyRequest {
    /** What has become of it; absent when it was refused before any hook. */
    progress: Progress | undefined
  }
}

const underWay = Symbol('requests under way')

/** A connection knows its requests under way: mostly one, so that it is found without looking. */
type Connection = Socket & { [underWay]?: Progress[] }

/**
 * Makes closing a server end what it accepted and nothing more: requests under way are carried
 * out and answered, also when their clients are gone; later ones on connections still open are
 * refused; and once none is under way all connections are closed, also those that never sent one.
 */
export function draining(app: FastifyInstance): void {
  const events = new EventEmitter()
  let stopping = false
  const settle = () => {
    if (!stopping || requests.open() > 0) return
    app.server.closeAllConnections()
    events.emit('settled')
  }
  const requests = following(settle)
  app.decorateRequest('progress', undefined)
  app.addHook('onRequest', (request, _, done) => {
    request.progress = requests.begin(request.raw.socket)
    done(stopping ? new Failure('service/stopping', {}) : undefined)
  })
  app.addHook('onSend', ({ progress }, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    if (progress !== undefined) requests.advance(progress, 'handled')
    done(null, payload)
  })
  app.addHook('onResponse', ({ progress }, _, done) => {
    if (progress !== undefined) requests.advance(progress, 'answered')
    done()
  })
  app.addHook('preClose', async () => {
    stopping = true
    settle()
  })
  app.addHook('onClose', async () => {
    if (requests.open() > 0) await once(events, 'settled')
  })
}

/** Follows requests from their beginning, and says whenever one is over. */
function following(over: () => void) {
  let open = 0
  const advance = (progress: Progress, step: 'handled' | 'answered') => {
    progress[step] = true
    const { others, handled, answered } = progress
    if (!handled || !answered || !others.includes(progress)) return
    others.splice(others.indexOf(progress), 1)
    open -= 1
    over()
  }
  // A reply to a client that is gone is never finished; its connection only closes.
  const listen = (socket: Connection) => {
    const all: Progress[] = []
    socket.once('close', () => {
      for (const progress of [...all]) advance(progress, 'answered')
    })
    return all
  }
  return {
    open: () => open,
    advance,
    begin: (socket: Connection): Progress => {
      socket[underWay] ??= listen(socket)
      const progress = { others: socket[underWay], handled: false, answered: false }
      progress.others.push(progress)
      open += 1
      return progress
    },
  }
}
