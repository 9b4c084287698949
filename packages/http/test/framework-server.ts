import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { type Client, type ClientOptions, createClient } from '../src/client/client.ts'
import { agent, openHarness } from './server-harness.ts'

/** A server over fakes for all tests of a file. */
export type FrameworkServer = {
  readonly url: () => string
  /** Returns a client, whose waits take no time. */
  readonly client: (options?: Partial<ClientOptions>) => Client
}

/** Starts a server over fakes before the tests of a file, and stops it after them. */
export function frameworkServer(): FrameworkServer {
  const harness = openHarness()
  let url = ''
  beforeAll(async () => {
    await harness.server.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(harness.server.server.address() as AddressInfo).port}`
  })
  afterAll(() => harness.server.close())
  const timers = { now: harness.clock.now, random: () => 0, wait: async () => undefined }
  return {
    url: () => url,
    client: (options = {}) => createClient({ url, account: agent, timers, ...options }),
  }
}
