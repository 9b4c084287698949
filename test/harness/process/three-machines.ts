import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { deployContracts } from '@heirloom/adapters/contracts'
import type { PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { vi } from 'vitest'
import { longestWait } from '../../tier.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import {
  downloadAs,
  type Environment,
  type RunningServer,
  type Snapshot,
  startServer,
} from './server.ts'

/** Three servers of one agent, each with a disk of its own, on one chain and one database. */
export type ThreeMachines = {
  readonly owner: PrivateKeyAccount
  /** The servers, by the number of their machine; `undefined` while one is down. */
  readonly servers: (RunningServer | undefined)[]
  /** Returns the data folder of a machine. */
  readonly diskOf: (machine: number) => string
  /** Kills a server without a warning, removes its disk, and starts it on an empty one. */
  readonly wipe: (machine: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The parts that the machines share, and the settings of each. */
type Input = {
  readonly anvil: Anvil
  readonly database: URL
  readonly environment: (machine: number) => Environment
}

/** Starts three servers with a contract pair of their own. */
export async function startThreeMachines(input: Input): Promise<ThreeMachines> {
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  await testClient(input.anvil).setBalance({ address: owner.address, value: 10n ** 21n })
  const { registry, marketplace } = await deployContracts({ chain: input.anvil.url, wallet: owner })
  const home = mkdtempSync(join(tmpdir(), 'machines-'))
  const diskOf = (machine: number) => join(home, String(machine))
  const shared = {
    RPC_URL: input.anvil.url.href,
    AGENT_PRIVATE_KEY: key,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    DATABASE_URL: input.database.href,
    MASTER_KEYS: randomBytes(32).toString('hex'),
  }
  const start = (machine: number) =>
    startServer({ ...shared, ...input.environment(machine), DATA_DIR: diskOf(machine) })
  const servers: (RunningServer | undefined)[] = []
  // One after the other: the first makes the sealing keys, which the others share.
  for (const machine of [0, 1, 2]) servers[machine] = await start(machine)
  return {
    owner,
    servers,
    diskOf,
    wipe: async (machine) => {
      const server = servers[machine]
      servers[machine] = undefined
      await server?.end('SIGKILL')
      rmSync(diskOf(machine), { recursive: true })
      if (existsSync(diskOf(machine))) throw new Error('The disk is still there.')
      servers[machine] = await start(machine)
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server?.end('SIGKILL')))
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A memory that was acknowledged with 201. */
export type Acknowledged = { readonly tokenId: string; readonly document: string }

/** Clients that write to whichever machine is up, and repeat what was not acknowledged. */
export type Load = {
  readonly acknowledged: readonly Acknowledged[]
  /** Waits until so many more memories are acknowledged. */
  readonly wait: (more: number) => Promise<void>
  /** Waits until every write is acknowledged. */
  readonly end: () => Promise<void>
}

/** Starts writing: small memories, and some that are trees of blocks. */
export function startLoad({ servers }: Pick<ThreeMachines, 'servers'>, clients = 4): Load {
  const acknowledged: Acknowledged[] = []
  let isOver = false
  const write = async (client: number) => {
    for (let turn = 0; !isOver; turn++) {
      const size = turn % 5 === 4 ? 300_000 : 200
      const thought = randomBytes(size).toString('base64')
      const document = `{"data":{"by":${client},"turn":${turn},"thought":"${thought}"},"metadata":{"category":"research"}}`
      acknowledged.push({ tokenId: await snapshot(servers, document, client + turn), document })
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => write(client)))
  return {
    acknowledged,
    wait: async (more) => {
      const goal = acknowledged.length + more
      await vi.waitUntil(() => acknowledged.length >= goal, { timeout: longestWait, interval: 20 })
    },
    end: async () => {
      isOver = true
      await running
    },
  }
}

/** Sends a memory under one idempotency key to one machine after the other until one acknowledges. */
async function snapshot(
  servers: ThreeMachines['servers'],
  body: string,
  first: number,
): Promise<string> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  for (let turn = first; ; turn++) {
    const url = servers[turn % servers.length]?.url
    const response =
      url === undefined
        ? undefined
        : await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body }).catch(
            () => undefined,
          )
    const answer = (await response?.json().catch(() => undefined)) as Snapshot | undefined
    if (response?.status === 201 && answer !== undefined) return answer.tokenId
    await yieldToOthers()
  }
}

/** Returns the memories that a server does not return byte for byte. */
export async function findLost(
  { owner }: Pick<ThreeMachines, 'owner'>,
  server: Pick<RunningServer, 'url'> | undefined,
  acknowledged: readonly Acknowledged[],
): Promise<readonly string[]> {
  const lost: string[] = []
  for (const { tokenId, document } of acknowledged) {
    const response = await downloadAs(owner, server?.url ?? '', tokenId)
    const text = await response.text()
    if (text !== document) lost.push(`${tokenId}: ${response.status} ${text.slice(0, 200)}`)
  }
  return lost
}
