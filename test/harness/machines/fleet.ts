import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import {
  type Environment,
  type RunningServer,
  serverProgram,
  startServer,
} from '../process/server.ts'
import { type Balancer, startBalancer } from './balancer.ts'

/** Three servers of one wallet behind a balancer, each with a disk of its own. */
export type Fleet = {
  readonly owner: PrivateKeyAccount
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly balancer: Balancer
  /** The address of each server, by the number of its machine. */
  readonly urls: () => readonly string[]
  /**
   * Replaces the server of a machine as an operator does: sends it no more requests, stops it, starts
   * a program on its disk, and sends that requests once it is ready.
   */
  readonly replace: (machine: number, program: string) => Promise<void>
  readonly stop: () => Promise<void>
}

export declare namespace startFleet {
  type Input = {
    readonly anvil: Anvil
    readonly database: URL
    /** More settings that the servers share. */
    readonly environment: Environment
    /** The program of each server. */
    readonly program?: string
  }
}

/** The number of machines. */
const size = 3

/** Starts three servers with a wallet and a contract pair of their own. */
export async function startFleet({
  anvil,
  database,
  environment,
  program = serverProgram,
}: startFleet.Input): Promise<Fleet> {
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address: owner.address, value: 10n ** 21n })
  const contracts = await deployContracts({ chain: anvil.url, wallet: owner })
  const { registry, marketplace } = contracts
  const home = mkdtempSync(join(tmpdir(), 'fleet-'))
  const shared = {
    ...{ RPC_URL: anvil.url.href, AGENT_PRIVATE_KEY: key, DATABASE_URL: database.href },
    ...{ REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace },
    ...{ MASTER_KEYS: randomBytes(32).toString('hex'), ...environment },
  }
  const servers: RunningServer[] = []
  const balancer = await startBalancer()
  const start = async (machine: number, program: string) => {
    const settings = { ...shared, DATA_DIR: join(home, String(machine)) }
    const server = await startServer(settings, program)
    servers[machine] = server
    await balancer.add(server.url)
  }
  // One after the other: the first makes the sealing keys, which the others share.
  for (let machine = 0; machine < size; machine++) await start(machine, program)
  return {
    ...{ owner, contracts: { registry, marketplace }, balancer },
    urls: () => servers.map(({ url }) => url),
    replace: async (machine, next) => {
      const server = servers[machine] as RunningServer
      await balancer.drain(server.url)
      const code = await server.end('SIGTERM')
      if (code !== 0) throw new Error(`The server of machine ${machine} ended with ${code}.`)
      await start(machine, next)
    },
    stop: async () => {
      await balancer.close()
      await Promise.all(servers.map((server) => server.end('SIGKILL')))
      rmSync(home, { recursive: true, force: true })
    },
  }
}
