import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

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
  /** Sends a server no more requests, and does not wait. */
  readonly remove: (server: string) => void
  readonly close: () => Promise<void>
}

/** Starts a balancer of no servers on a free loopback port. */
export async function startBalancer(): Promise<Balancer> {
  /** The requests in progress of each server. */
  const open = new Map<string, number>()
  const serving = new Set<string>()
  const server = createServer((incoming, outgoing) => {
    const [target] = [...serving].toSorted(
      (one, other) => (open.get(one) ?? 0) - (open.get(other) ?? 0),
    )
    if (target === undefined) return void outgoing.writeHead(503).end('No server is ready.')
    open.set(target, (open.get(target) ?? 0) + 1)
    outgoing.once('close', () => open.set(target, (open.get(target) ?? 1) - 1))
    // Another server is first among equals for the next request.
    serving.delete(target)
    serving.add(target)
    forward(new URL(incoming.url ?? '/', target), incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const remove = (target: string) => void serving.delete(target)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (target) => {
      await untilReady(target)
      serving.add(target)
    },
    drain: async (target) => {
      remove(target)
      await vi.waitUntil(() => (open.get(target) ?? 0) === 0, { timeout: 60_000, interval: 20 })
    },
    remove,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

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
  incoming.pipe(outward)
}

/** Waits until a server says that it is ready. */
async function untilReady(server: string): Promise<void> {
  const check = async () => {
    const response = await fetch(`${server}/readyz`)
    if (!response.ok) throw new Error(`${server} is not ready: ${await response.text()}`)
  }
  await vi.waitFor(check, { timeout: 60_000, interval: 100 })
}
