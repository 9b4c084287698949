import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFolder } from '../harness/packages/built-folder.ts'
import { type RunningServer, startServer } from '../harness/process/server.ts'

/** A built server, as `npm start` runs it, for the tests of one file. */
export type BuiltServer = {
  /** The folder of the built page. */
  readonly page: string
  readonly url: () => string
  readonly start: () => Promise<void>
  /** Kills the server. */
  readonly kill: () => Promise<void>
  readonly dispose: () => Promise<void>
}

/** Builds the server and its page, and starts it with an empty folder. */
export async function startBuiltServer(
  environment: Readonly<Record<string, string>> = {},
): Promise<BuiltServer> {
  const { dist, program, build, remove } = builtFolder()
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  build()
  let running: RunningServer | undefined
  let port = '0'
  const start = async () => {
    running = await startServer({ ...environment, DATA_DIR: folder, PORT: port }, program)
    port = new URL(running.url).port
  }
  await start()
  return {
    page: join(dist, 'page'),
    url: () => running?.url ?? '',
    start,
    kill: async () => {
      await running?.end('SIGKILL')
    },
    dispose: async () => {
      await running?.end('SIGTERM')
      remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
