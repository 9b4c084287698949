import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { addressOf, type Environment, end, spawnServer } from './server-process.ts'

/** A server in a process of its own, with the default configuration. */
export type Server = { readonly url: string; readonly pid: number; stop(): Promise<void> }

/** A temporary data folder of a server, and the wallet of the server. */
export type ServerFolder = {
  readonly folder: string
  readonly key: Hex
  readonly wallet: PrivateKeyAccount
  readonly environment: Environment
  remove(): void
}

/** Creates a data folder for a server. */
export function newServerFolder(more: Environment = {}): ServerFolder {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const key = generatePrivateKey()
  return {
    folder,
    key,
    wallet: privateKeyToAccount(key),
    environment: { DATA_DIR: folder, AGENT_PRIVATE_KEY: key, ...more },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Starts a server and waits until it listens. */
export async function startServer(folder: Pick<ServerFolder, 'environment'>): Promise<Server> {
  const child = spawnServer(folder)
  const url = await addressOf(child)
  return { url, pid: child.pid ?? 0, stop: () => end(child) }
}
