import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ClientOptions } from '../src/client/client.ts'
import { createClient } from '../src/client/client.ts'
import { agent, openWorld, type TestWorld } from './server-harness.ts'

/** A client of a server on a port of its own, and the server's world. */
export type ClientWorld = Awaited<ReturnType<typeof clientWorld>>

/** Opens a server over fakes on loopback, and a client of it whose time is the server's. */
export async function clientWorld(
  options: Partial<ClientOptions> = {},
  parts: Parameters<typeof openWorld>[0] = {},
) {
  const world = openWorld(parts)
  await world.server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => world.server.close())
  const { port } = world.server.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const timers = timersOf(world)
  const clientAt = (more: Partial<ClientOptions> = {}) =>
    createClient({ url, account: agent, timers, ...options, ...more })
  return { ...world, url, timers, clientAt, client: clientAt() }
}

/** Time that passes only when it is waited for, and no chance. */
function timersOf({ clock }: Pick<TestWorld, 'clock'>) {
  const waits: number[] = []
  return {
    now: clock.now,
    random: () => 0,
    waits,
    wait: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      waits.push(milliseconds)
      clock.advance(milliseconds)
    },
  }
}
