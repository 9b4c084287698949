import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ClientOptions } from '../src/client/client.ts'
import { createClient } from '../src/client/client.ts'
import { agent, openHarness, type ServerHarness } from './server-harness.ts'

/** A server over fakes on a port of its own, and a client of it. */
export type ClientHarness = Awaited<ReturnType<typeof openClientHarness>>

/** Opens a server over fakes on loopback, and a client that shares the clock of the server. */
export async function openClientHarness(
  options: Partial<ClientOptions> = {},
  parts: Parameters<typeof openHarness>[0] = {},
) {
  const harness = openHarness(parts)
  await harness.server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => harness.server.close())
  const { port } = harness.server.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const timers = timersOf(harness)
  const clientAt = (more: Partial<ClientOptions> = {}) =>
    createClient({ url, account: agent, timers, ...options, ...more })
  return { ...harness, url, timers, clientAt, client: clientAt() }
}

/** Returns timers whose time passes only in waits, and no randomness. */
function timersOf({ clock }: Pick<ServerHarness, 'clock'>) {
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
