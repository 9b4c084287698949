import { spawn, spawnSync } from 'node:child_process'
import { end, firstLine } from './child-process.ts'
import { type RunningServer, serverProgram } from './server.ts'

/** A server that sees file systems of its own, which end with it. */
export type MountedServer = Pick<RunningServer, 'url' | 'end'> & {
  /** Runs a command of the shell among those file systems; fails where the command does. */
  readonly inside: (command: string) => void
}

/** Starts a server after what mounts its file systems; `$0` stands for the data folder. */
export async function startMounted(folder: string, mount: string): Promise<MountedServer> {
  const server = spawn('unshare', mounted(folder, mount), {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine(server.stdout)
  const enter = [`--target=${server.pid}`, '--user', '--mount', '--preserve-credentials']
  const inside = (command: string) => {
    const { status } = spawnSync('nsenter', [...enter, 'sh', '-c', command, folder])
    if (status !== 0) throw new Error(`This ended with ${status}: ${command}`)
  }
  return { url, inside, end: (signal) => end(server, signal) }
}

/** Returns what `unshare` needs to start a server in a namespace, where nobody else sees what it mounts. */
export function mounted(folder: string, mount: string): readonly string[] {
  const program = [process.execPath, serverProgram, 'serve']
  return ['-rm', 'sh', '-c', `${mount} && exec "$@"`, folder, ...program]
}
