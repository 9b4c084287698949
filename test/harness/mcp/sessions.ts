import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import type { Client } from '@modelcontextprotocol/client'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach } from 'vitest'
import { overStdio, type Revision } from './mcp.ts'
import { sharedServer } from '../process/shared-server.ts'

/** A server that the tests of a file share, and a folder for memories. */
export const server = sharedServer()
export const folder = mkdtempSync(join(tmpdir(), 'mcp-memories-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What is closed after each test. */
export const opened: (() => unknown)[] = []
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.()
})

/** A wallet that is not the agent's. */
export const buyerKey = walletKeys[1] as `0x${string}`
export const buyer = privateKeyToAddress(buyerKey)

type Environment = Readonly<Record<string, string>>

/** Starts a session whose wallet is the agent's own, for the server's data folder is at hand. */
export const asAgent = (revision?: Revision, more: Environment = {}) =>
  session({ HEIRLOOM_URL: server.url, DATA_DIR: server.home, ...more }, revision)

/** Starts a session with a wallet of its own. */
export const asBuyer = (revision?: Revision) =>
  session({ HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: buyerKey }, revision)

/** Starts a session that ends with the test. */
export async function session(environment: Environment, revision?: Revision): Promise<Client> {
  const { client } = await overStdio(environment, revision)
  opened.push(() => client.close())
  return client
}

export const memory = { data: { learned: ['short answers'] }, metadata: { category: 'support' } }
