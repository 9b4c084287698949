import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import type {} from '../plugins/draining.ts'

/** The largest number of requests of one connection that wait for their responses. */
export const maxUnanswered = 64

/**
 * Handles the requests of one connection one after another, also when they are sent at once
 * (pipelining, RFC 9112, 9.3.2): otherwise a client that reads nothing would make the server hold
 * the responses to all of them. Closes each connection on which too many wait.
 */
export function boundPipelining(app: FastifyInstance): void {
  app.addHook('onRequest', ({ progress, raw }, reply, done) => {
    if ((progress?.others.length ?? 0) > maxUnanswered) {
      raw.socket.destroy()
      const what = 'requests at once on one connection'
      done(new Failure('request/too-many', { what, limit: maxUnanswered, retryAfterSeconds: 1 }))
    } else if (reply.raw.socket !== null) done()
    else waitForTurn(reply.raw, raw.socket, done)
  })
}

type Done = (error?: Error) => void

/** The requests of each connection that wait, by the functions that continue them. */
const waiting = new WeakMap<Socket, Set<Done>>()

/** Waits until all earlier responses on the connection are sent; Node then gives it the socket. */
function waitForTurn(response: ServerResponse, socket: Socket, done: Done): void {
  const others = waiting.get(socket) ?? waitingOn(socket)
  others.add(done)
  response.once('socket', () => {
    if (others.delete(done)) done()
  })
}

function waitingOn(socket: Socket): Set<Done> {
  const all = new Set<Done>()
  waiting.set(socket, all)
  socket.once('close', () => {
    for (const done of all) done(new Failure('service/stopping', {}))
    all.clear()
  })
  return all
}
