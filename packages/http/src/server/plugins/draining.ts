import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'

/** The progress of a request. It ends once it was handled and its reply was sent or its client left. */
type Progress = { readonly others: Progress[]; handled: boolean; answered: boolean }

declare module 'fastify' {
  interface FastifyRequest {
    /** The progress of the request; absent if it was refused before any hook. */
    progress: Progress | undefined
  }
}

const inProgress = Symbol('requests in progress')

/** A connection with its requests in progress: mostly one, so that it is found at once. */
type Connection = Socket & { [inProgress]?: Progress[] }

/**
 * Adds a graceful shutdown: closing the server completes the requests in progress, also those whose
 * clients have left, and refuses later ones on open connections. Once no request is in progress it
 * closes all connections, also idle ones.
 */
export function draining(app: FastifyInstance): void {
  const events = new EventEmitter()
  let stopping = false
  const settle = () => {
    if (!stopping || requests.open() > 0) return
    app.server.closeAllConnections()
    events.emit('settled')
  }
  const requests = requestTracker(settle)
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

/** Tracks the requests in progress, and calls `onEnd` whenever one ends. */
function requestTracker(onEnd: () => void) {
  let open = 0
  const advance = (progress: Progress, step: 'handled' | 'answered') => {
    progress[step] = true
    const { others, handled, answered } = progress
    if (!handled || !answered || !others.includes(progress)) return
    others.splice(others.indexOf(progress), 1)
    open -= 1
    onEnd()
  }
  // A reply to a client that has left never finishes; only its connection closes.
  const track = (socket: Connection) => {
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
      socket[inProgress] ??= track(socket)
      const progress = { others: socket[inProgress], handled: false, answered: false }
      progress.others.push(progress)
      open += 1
      return progress
    },
  }
}
