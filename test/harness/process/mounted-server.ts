import { spawn, spawnSync } from 'node:child_process'
import { end, firstLine } from './child-process.ts'
import { type RunningServer, serverProgram } from './server.ts'

/** A run of the command line that ended. */
type Run = { readonly code: number | null; readonly output: string; readonly errors: string }

/** A server in its own mount namespace, whose file systems vanish with it. */
export type MountedServer = Pick<RunningServer, 'url' | 'end'> & {
  /** Runs a shell command in that namespace. @throws when the command fails */
  readonly inside: (command: string) => void
  /** Runs a command of the program in that namespace, for the same data folder. */
  readonly run: (...words: readonly string[]) => Run
}

/** Starts a server after a shell command that mounts file systems; `$0` is the data folder. */
export async function startMountedServer(folder: string, mount: string): Promise<MountedServer> {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder }
  const server = spawn('unshare', mounted(folder, mount), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine(server.stdout)
  const enter = [`--target=${server.pid}`, '--user', '--mount', '--preserve-credentials']
  const inside = (command: string) => {
    const { status } = spawnSync('nsenter', [...enter, 'sh', '-c', command, folder])
    if (status !== 0) throw new Error(`The command ended with ${status}: ${command}`)
  }
  const run = (...words: readonly string[]): Run => {
    const command = [...enter, process.execPath, serverProgram, ...words]
    const { status, stdout, stderr } = spawnSync('nsenter', command, { env, encoding: 'utf8' })
    return { code: status, output: stdout, errors: stderr }
  }
  return { url, inside, run, end: (signal) => end(server, signal) }
}

/** Returns the arguments of `unshare` that start a server in its own mount namespace. */
export function mounted(folder: string, mount: string): readonly string[] {
  const program = [process.execPath, serverProgram, 'serve']
  return ['-rm', 'sh', '-c', `${mount} && exec "$@"`, folder, ...program]
}
