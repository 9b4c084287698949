import { spawn, spawnSync } from 'node:child_process'
import { end, firstLine } from './child-process.ts'
import { type RunningServer, serverProgram } from './server.ts'

/** A server in its own mount namespace, whose file systems vanish with it. */
export type MountedServer = Pick<RunningServer, 'url' | 'end'> & {
  /** Runs a shell command in that namespace. @throws when the command fails */
  readonly inside: (command: string) => void
}

/** Starts a server after a shell command that mounts file systems; `$0` is the data folder. */
export async function startMountedServer(folder: string, mount: string): Promise<MountedServer> {
  const server = spawn('unshare', mounted(folder, mount), {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine(server.stdout)
  const enter = [`--target=${server.pid}`, '--user', '--mount', '--preserve-credentials']
  const inside = (command: string) => {
    const { status } = spawnSync('nsenter', [...enter, 'sh', '-c', command, folder])
    if (status !== 0) throw new Error(`The command ended with ${status}: ${command}`)
  }
  return { url, inside, end: (signal) => end(server, signal) }
}

/** Returns the arguments of `unshare` that start a server in its own mount namespace. */
export function mounted(folder: string, mount: string): readonly string[] {
  const program = [process.execPath, serverProgram, 'serve']
  return ['-rm', 'sh', '-c', `${mount} && exec "$@"`, folder, ...program]
}
