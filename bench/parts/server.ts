import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { addressOf, type Environment, end, spawnServer } from './server-process.ts'

/** A server as its user runs it: a process of its own, with nothing set but where it is. */
export type Server = { readonly url: string; readonly pid: number; stop(): Promise<void> }

/** A folder for a server, which is removed with all that is in it, and the wallet that it uses. */
export type Site = {
  readonly folder: string
  readonly key: Hex
  readonly wallet: PrivateKeyAccount
  readonly environment: Environment
  remove(): void
}

/** Makes a folder for a server. */
export function newSite(more: Environment = {}): Site {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
  const key = generatePrivateKey()
  return {
    ...{ folder, key },
    wallet: privateKeyToAccount(key),
    environment: { DATA_DIR: folder, AGENT_PRIVATE_KEY: key, ...more },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Starts a server and waits until it answers. */
export async function startServer(site: Pick<Site, 'environment'>): Promise<Server> {
  const child = spawnServer(site)
  const url = await addressOf(child)
  return { url, pid: child.pid ?? 0, stop: () => end(child) }
}
