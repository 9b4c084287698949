import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bounds } from '../../config/read-bounds.ts'
import { clientOf, networkOf } from '../request/client-of.ts'
import { type DownloadBudget, downloadBudget } from './download-budget.ts'

/**
 * Closes every connection whose client has read nothing for `timeout` milliseconds although data
 * waits for it. A client that reads slowly, but steadily, gets everything.
 */
function closeSlowReaders(server: Server, timeout: number): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const check = () => {
    for (const socket of sockets) setTimeoutWhileWaiting(socket, timeout)
  }
  const interval = setInterval(check, timeout / 2).unref()
  server.once('close', () => clearInterval(interval))
}

/** Closes one connection likewise, until it is closed or the returned function is called. */
export function closeWhenStalled(socket: Socket, timeout: number): () => void {
  const interval = setInterval(() => setTimeoutWhileWaiting(socket, timeout), timeout / 2).unref()
  const stop = () => clearInterval(interval)
  socket.once('close', stop)
  return stop
}

// The timeout of a socket counts from the last byte that the system accepted, also within one
// write, which no other measure shows. Node sets its own timeout once the reply is finished. Of two
// timeouts for one connection the shorter applies.
function setTimeoutWhileWaiting(socket: Socket, timeout: number): void {
  const current = socket.timeout || Number.POSITIVE_INFINITY
  const waits = socket.writableLength > 0
  if (waits && timeout < current) socket.setTimeout(timeout)
  if (!waits && current === timeout) socket.setTimeout(0)
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts `more` further requests for the client of a request, such as the messages of a batch.
     *
     * @throws `request/too-many`
     */
    countMore: (request: FastifyRequest, more: number) => void
  }
}

/** Bounds the connections and the requests of each client. A bound of zero adds no hook. */
export function boundClients(app: FastifyInstance, bounds: Partial<Bounds>): void {
  const { requestsPerMinute = 0, slowReaderSeconds = 0 } = bounds
  const { connections: max = 0, connectionsPerClient: maxPerClient = 0 } = bounds
  boundConnections(app.server, { max, maxPerClient })
  boundPipelining(app)
  if (slowReaderSeconds > 0) closeSlowReaders(app.server, slowReaderSeconds * 1000)
  const count = requestsPerMinute === 0 ? () => {} : requestRate({ perMinute: requestsPerMinute })
  app.decorate('countMore', (request: FastifyRequest, more: number) => {
    const client = clientOf(request)
    for (let counted = 0; counted < more; counted++) count(client)
  })
  if (requestsPerMinute === 0) return
  app.addHook('onRequest', (request, _, done) => {
    count(clientOf(request))
    done()
  })
}

/** Returns the budget for downloads. Short documents are not counted. */
export function downloadBudgetFor({
  downloadBytes: maxBytes = 0,
}: Partial<Bounds>): DownloadBudget {
  return downloadBudget({ maxBytes, uncountedBytes })
}

/** The length up to which a document is not counted: all connections together hold 160 MiB of them. */
const uncountedBytes = 16_384

declare namespace boundConnections {
  type Options = {
    /** The largest number of connections; 0 for no limit. */
    readonly max: number
    /** The largest number from one network; 0 for no limit. */
    readonly maxPerClient: number
  }
}

/** Closes each new connection beyond the limit of the server or of its network. */
function boundConnections(server: Server, { max, maxPerClient }: boundConnections.Options): void {
  if (max > 0) server.maxConnections = max
  if (maxPerClient === 0) return
  const counts = new Map<string, number>()
  server.prependListener('connection', (socket) => {
    const network = networkOf(socket.remoteAddress)
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left === 0) counts.delete(network)
      else counts.set(network, left)
    })
    if (count > maxPerClient) socket.destroy()
  })
}

export declare namespace requestRate {
  type Options = {
    /** The requests that a client may send at once, and again in each minute. */
    readonly perMinute: number
    /** The current milliseconds of a monotonic clock. */
    readonly now?: () => number
    /** The largest number of clients that are counted at a time. */
    readonly maxClients?: number
  }
}

/** The token bucket of a client: what was left at a time. */
type Bucket = { left: number; at: number }

const minute = 60_000

/**
 * Returns a function that counts a request of a client: a token bucket, which is full after a minute
 * of silence and refills evenly.
 *
 * The counter of `@fastify/rate-limit` 11.2 costs 10 microseconds of processor time for each
 * request, more than half of what a read takes here; this one costs less than one.
 *
 * @throws `request/too-many`
 */
export function requestRate({
  perMinute,
  now = () => performance.now(),
  maxClients = 65_536,
}: requestRate.Options): (client: string) => void {
  const buckets = new Map<string, Bucket>()
  return (client) => {
    const at = now()
    const bucket = buckets.get(client) ?? { left: perMinute, at }
    bucket.left = Math.min(perMinute, bucket.left + ((at - bucket.at) * perMinute) / minute)
    bucket.at = at
    if (bucket.left < 1) throw tooMany(perMinute, 1 - bucket.left)
    bucket.left -= 1
    // This bounds the memory; a client that is forgotten starts with a full bucket.
    if (buckets.size >= maxClients && !buckets.has(client)) buckets.clear()
    buckets.set(client, bucket)
  }
}

function tooMany(limit: number, missing: number): Failure {
  const retryAfterSeconds = Math.ceil((missing * minute) / limit / 1000)
  return new Failure('request/too-many', { what: 'requests a minute', limit, retryAfterSeconds })
}

/** The largest number of requests of one connection that wait for their responses. */
const maxUnanswered = 64

/**
 * Handles the requests of one connection one after another, also when they are sent at once
 * (pipelining, RFC 9112, 9.3.2): otherwise a client that reads nothing would make the server hold
 * the responses to all of them. Closes each connection on which too many wait.
 */
function boundPipelining(app: FastifyInstance): void {
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
