import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = join(import.meta.dirname, '../../packages/http/dist/cli.js')

export type Environment = Readonly<Record<string, string>>

/** Starts the server's process and ignores its log. */
export const spawnServer = ({ environment }: Pick<Command, 'environment'>): ChildProcess =>
  spawnCommand({ environment, words: ['serve'] })

/** As in the script `start`. */
const allocator = {
  GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=2097152:glibc.malloc.trim_threshold=4194304',
}

/** A command of the program, and its settings. */
type Command = {
  readonly environment: Environment
  readonly words: readonly string[]
  /** The path of the program; that of this checkout when absent. */
  readonly from?: string
}

/** Starts the process of a command and ignores its log. It ends with this process. */
export function spawnCommand({ environment, words, from = program }: Command): ChildProcess {
  const child = spawn(process.execPath, [from, ...words], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...allocator,
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // A benchmark that fails leaves no server behind.
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
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
