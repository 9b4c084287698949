import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import type { Client } from '@modelcontextprotocol/client'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach } from 'vitest'
import { sharedServer } from '../process/shared-server.ts'
import { overStdio, type Revision } from './mcp.ts'

/** The server and the folder that the tests of a file share. */
export const server = sharedServer()
export const folder = mkdtempSync(join(tmpdir(), 'mcp-memories-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The cleanups to run after each test. */
export const cleanups: (() => unknown)[] = []
afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.()
})

/** A wallet other than the agent wallet. */
export const buyerKey = walletKeys[1] as `0x${string}`
export const buyer = privateKeyToAddress(buyerKey)

type Environment = Readonly<Record<string, string>>

/** Starts a session with the agent wallet, whose key is in the data folder of the server. */
export const asAgent = (revision?: Revision, more: Environment = {}) =>
  session({ HEIRLOOM_URL: server.url, DATA_DIR: server.home, ...more }, revision)

/** Starts a session with a wallet of its own. */
export const asBuyer = (revision?: Revision) =>
  session({ HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: buyerKey }, revision)

/** Starts a session that is closed after the test. */
export async function session(environment: Environment, revision?: Revision): Promise<Client> {
  const { client } = await overStdio(environment, revision)
  cleanups.push(() => client.close())
  return client
}

export const memory = { data: { learned: ['short answers'] }, metadata: { category: 'support' } }
