import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Environment, type HostedServer, hostServer } from './server.ts'

/** A server for all tests of a file; its URL exists once they run. */
export type SharedServer = {
  readonly url: string
  /** The data folder. */
  readonly home: string
}

/** Starts a server before the tests of a file or block, and ends it after them. */
export function sharedServer(environment: Environment = {}): SharedServer {
  const home = mkdtempSync(join(tmpdir(), 'shared-'))
  let running: HostedServer
  beforeAll(async () => {
    running = await hostServer({ DATA_DIR: home, ...environment })
  })
  afterAll(async () => {
    await running.end()
    rmSync(home, { recursive: true })
  })
  return {
    home,
    get url() {
      return running.url
    },
  }
}
