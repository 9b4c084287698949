import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { longestWait } from '../../tier.ts'

/**
 * A proxy in front of several servers, as deploy/haproxy.cfg has one: each request goes to the server
 * with the fewest requests in progress. It repeats no request, so each failure is counted.
 */
export type Balancer = {
  readonly url: string
  /** Waits until a server is ready, and sends it requests from then on. */
  readonly add: (server: string) => Promise<void>
  /** Sends a server no more requests, and waits until those that it has have ended. */
  readonly drain: (server: string) => Promise<void>
  /** Forgets a server, and breaks off the requests that it has. */
  readonly remove: (server: string) => void
  readonly close: () => Promise<void>
}

export declare namespace startBalancer {
  type Options = {
    /** The interval of checks whether each server is ready, in milliseconds; none by default. */
    readonly checkEvery?: number
  }
}

/** The time that a checked server may take for its answer, in milliseconds. */
const checkTimeout = 2000

/** Starts a balancer of no servers on a free loopback port. */
export async function startBalancer({ checkEvery }: startBalancer.Options = {}): Promise<Balancer> {
  /** The requests in progress of each server. */
  const open = new Map<string, Set<ServerResponse>>()
  /** The servers that get requests, of those that are known. */
  const serving = new Set<string>()
  const load = (target: string) => open.get(target)?.size ?? 0
  const server = createServer((incoming, outgoing) => {
    const [target] = [...serving].toSorted((one, other) => load(one) - load(other))
    if (target === undefined) return void outgoing.writeHead(503).end('No server is ready.')
    open.get(target)?.add(outgoing)
    outgoing.once('close', () => open.get(target)?.delete(outgoing))
    // Another server is first among equals for the next request.
    serving.delete(target)
    serving.add(target)
    forward(new URL(incoming.url ?? '/', target), incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stopServing = (target: string) => {
    serving.delete(target)
    for (const outgoing of open.get(target) ?? []) outgoing.destroy()
  }
  const check = async (target: string) => {
    const isUp = await isReady(target)
    if (!open.has(target)) return
    if (isUp) serving.add(target)
    else stopServing(target)
  }
  const checkAll = () => void Promise.all([...open.keys()].map(check))
  const timer = checkEvery && setInterval(checkAll, checkEvery)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (target) => {
      await vi.waitUntil(() => isReady(target), { timeout: longestWait, interval: 100 })
      open.set(target, new Set())
      serving.add(target)
    },
    drain: async (target) => {
      serving.delete(target)
      await vi.waitUntil(() => load(target) === 0, { timeout: longestWait, interval: 20 })
      open.delete(target)
    },
    remove: (target) => {
      stopServing(target)
      open.delete(target)
    },
    close: async () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns whether a server says in time that it is ready. */
export const isReady = (server: string): Promise<boolean> =>
  fetch(`${server}/readyz`, { signal: AbortSignal.timeout(checkTimeout) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Forwards a request to a server on a connection of its own, and its response to the client. */
function forward(target: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method } = incoming
  const headers = { ...incoming.headers, host: target.host }
  const outward = request(target, { method, headers, agent: false }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
    response.on('error', () => outgoing.destroy())
  })
  outward.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(String(error))
  })
  outgoing.once('close', () => outward.destroy())
  incoming.pipe(outward)
}
