import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { end, firstLine } from '../process/child-process.ts'
import { type Environment, serverProgram } from '../process/server.ts'

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>> & {
  readonly level: number
  readonly msg: string
}

/** A server in its own process, with its log. */
export type LoggedServer = {
  readonly url: string
  readonly folder: string
  /** Returns the lines that it has written so far. */
  readonly lines: () => readonly LogLine[]
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals | null>
}

/** Starts a server with an empty data folder on a free port; the test ends it. */
export async function startLoggedServer(environment: Environment = {}): Promise<LoggedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-logged-'))
  const log = join(folder, 'log')
  const output = openSync(log, 'w')
  const server = spawn(process.execPath, [serverProgram, 'serve'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), ...environment },
    stdio: ['ignore', 'pipe', output],
  })
  closeSync(output)
  onTestFinished(async () => {
    await end(server, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const read = () => readFileSync(log, 'utf8')
  const url = await firstLine(server.stdout).catch(() => {
    throw new Error(read().trim())
  })
  return {
    url,
    folder: join(folder, 'data'),
    lines: () =>
      read()
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    end: (signal) => end(server, signal),
  }
}
