import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const program = join(import.meta.dirname, '../../packages/http/dist/cli.js')

export type Environment = Readonly<Record<string, string>>

/** A server as its user runs it: a process of its own, with nothing set but where it is. */
export type Server = { readonly url: string; readonly pid: number; stop(): Promise<void> }

/** A folder for a server, which is removed with all that is in it, and the wallet that it uses. */
export type Site = {
  readonly folder: string
  readonly wallet: PrivateKeyAccount
  readonly environment: Environment
  remove(): void
}

/** Makes a folder for a server. */
export function newSite(more: Environment = {}): Site {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const key = generatePrivateKey()
  return {
    folder,
    wallet: privateKeyToAccount(key),
    environment: { DATA_DIR: folder, AGENT_PRIVATE_KEY: key, ...more },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Starts the server's process; its log goes where logs go, and is not looked at. */
export function spawnServer({ environment }: Pick<Site, 'environment'>): ChildProcess {
  return spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Waits for the line that names a server's address. */
export async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null) {
    for await (const line of createInterface({ input: stdout })) return line
  }
  throw new Error('The server did not start.')
}

/** Ends a process and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

/** Starts a server and waits until it answers. */
export async function startServer(site: Pick<Site, 'environment'>): Promise<Server> {
  const child = spawnServer(site)
  const url = await addressOf(child)
  return { url, pid: child.pid ?? 0, stop: () => end(child) }
}
