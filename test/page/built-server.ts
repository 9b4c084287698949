import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../worlds/server.ts'

const packageFolder = join(import.meta.dirname, '../../packages/http')

/** A server as `npm start` runs it, built for the tests of one file. */
export type BuiltServer = {
  /** Where the built page is. */
  readonly page: string
  readonly url: () => string
  readonly start: () => Promise<void>
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>
  readonly dispose: () => Promise<void>
}

/** Builds the server and its page, and starts it with an empty folder. */
export async function builtServer(): Promise<BuiltServer> {
  // Inside the package, whose dependencies the program loads.
  const built = join(packageFolder, `node_modules/.cache/page-${process.pid}`)
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  execFileSync(process.execPath, [join(packageFolder, 'build.ts'), built], { stdio: 'pipe' })
  let running: RunningServer | undefined
  let port = '0'
  const start = async () => {
    running = await startServer({ DATA_DIR: folder, PORT: port }, join(built, 'cli.js'))
    port = new URL(running.url).port
  }
  await start()
  return {
    page: join(built, 'page'),
    url: () => running?.url ?? '',
    start,
    kill: async () => {
      await running?.end('SIGKILL')
    },
    dispose: async () => {
      await running?.end('SIGTERM')
      for (const path of [built, folder]) rmSync(path, { recursive: true, force: true })
    },
  }
}
