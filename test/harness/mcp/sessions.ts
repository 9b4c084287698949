import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import type { Client } from '@modelcontextprotocol/client'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, onTestFinished } from 'vitest'
import { type SharedServer, sharedServer } from '../process/shared-server.ts'
import { overStdio, type Revision } from './mcp.ts'

/** A wallet other than the agent wallet. */
export const buyerKey = walletKeys[1] as `0x${string}`
export const buyer = privateKeyToAddress(buyerKey)

const developer = mnemonicToAccount(`${'test '.repeat(11)}junk`).getHdKey().privateKey ?? []

/** The settings of a wallet that has play money on the embedded chain, and may spend it. */
export const fundedWallet = {
  HEIRLOOM_PRIVATE_KEY: `0x${Buffer.from(developer).toString('hex')}`,
  HEIRLOOM_MAX_SPEND_PER_DAY: '1ether',
}

type Environment = Readonly<Record<string, string>>

/** The server and the folder that the tests of a file share. */
export type Sessions = {
  readonly server: SharedServer
  readonly folder: string
  /** Starts a session with the agent wallet, whose key is in the data folder of the server. */
  readonly asAgent: (revision?: Revision, more?: Environment) => Promise<Client>
  /** Starts a session with a wallet of its own. */
  readonly asBuyer: (revision?: Revision) => Promise<Client>
  /** Starts a session with the tools for a small context, as the agent wallet. */
  readonly asSmall: (more?: Environment) => Promise<Client>
}

/** Starts a server for the sessions of a file, and ends it after them. */
export function openSessions(): Sessions {
  const server = sharedServer()
  const folder = mkdtempSync(join(tmpdir(), 'mcp-memories-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return {
    server,
    folder,
    asAgent: (revision, more = {}) =>
      session({ HEIRLOOM_URL: server.url, DATA_DIR: server.home, ...more }, revision),
    asBuyer: (revision) =>
      session({ HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: buyerKey }, revision),
    asSmall: (more = {}) =>
      session({ HEIRLOOM_URL: server.url, DATA_DIR: server.home, ...more }, undefined, 'small'),
  }
}

/** Starts a session that is closed after the test. */
export async function session(
  environment: Environment,
  revision?: Revision,
  sets?: string,
): Promise<Client> {
  const { client } = await overStdio(environment, revision, { sets })
  onTestFinished(() => client.close())
  return client
}

export const memory = { data: { learned: ['short answers'] }, metadata: { category: 'support' } }
