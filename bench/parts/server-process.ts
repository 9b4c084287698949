import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = join(import.meta.dirname, '../../packages/http/dist/cli.js')

export type Environment = Readonly<Record<string, string>>

/** Starts the server's process and ignores its log. */
export function spawnServer({ environment }: { readonly environment: Environment }): ChildProcess {
  return spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Waits for the line with the server's address. */
export async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null) {
    for await (const line of createInterface({ input: stdout })) return line
  }
  throw new Error('The server did not start.')
}

/** Stops a process and waits for its exit. */
export async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
