import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../harness/process/free-port.ts'
import { type HostedServer, hostServer, serverProgram } from '../harness/process/server.ts'

/** A built server, as `npm start` runs it, for the tests of one file. */
export type BuiltServer = {
  /** The folder of the built page. */
  readonly page: string
  readonly url: () => string
  readonly start: () => Promise<void>
  /** Stops the server, whose port stays free for it. */
  readonly stop: () => Promise<void>
  readonly dispose: () => Promise<void>
}

/** Starts a built server with an empty folder. */
export async function startBuiltServer(
  environment: Readonly<Record<string, string>> = {},
): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  let running: HostedServer | undefined
  const port = String(await freePort())
  const start = async () => {
    running = await hostServer({ ...environment, DATA_DIR: folder, PORT: port })
  }
  await start()
  return {
    page: join(dirname(serverProgram), 'page'),
    url: () => running?.url ?? '',
    start,
    stop: async () => {
      await running?.end()
    },
    dispose: async () => {
      await running?.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
