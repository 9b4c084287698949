import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import { freePort } from '../process/free-port.ts'
import {
  type Environment,
  type RunningServer,
  serverProgram,
  startServer,
} from '../process/server.ts'
import { deployEarlierContracts } from '../upgrade/earlier-contracts.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { loopbackNetwork, type MachineNetwork } from './network.ts'

/** Three servers of one wallet behind a balancer, each on a machine of its own. */
export type Fleet = {
  readonly owner: PrivateKeyAccount
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly balancer: Balancer
  readonly networks: readonly MachineNetwork[]
  /** The server of each machine, by its number. */
  readonly servers: readonly RunningServer[]
  /**
   * Replaces the server of a machine as an operator does: sends it no more requests, stops it, starts
   * a program on its disk, and sends that requests once it is ready.
   */
  readonly replace: (machine: number, program: string) => Promise<void>
  /** Kills the server of a machine, and waits until it is gone. */
  readonly kill: (machine: number) => Promise<void>
  /** Removes the disk of a machine whose server is gone. */
  readonly wipe: (machine: number) => void
  /** Starts a program on the disk of a machine, and waits until it is ready. */
  readonly start: (machine: number, program: string) => Promise<void>
  readonly stop: () => Promise<void>
}

export declare namespace startFleet {
  type Input = {
    readonly anvil: Anvil
    /** The nodes of a machine; the chain itself by default. */
    readonly nodesOf?: (machine: number) => readonly URL[]
    readonly database: URL
    /** The object store, and more settings that the servers share. */
    readonly bucket: { readonly BLOB_URL: string } & Environment
    /** The program of each server. */
    readonly program?: string
    readonly networks?: readonly MachineNetwork[]
    /** The interval of the balancer's checks, in milliseconds; none by default. */
    readonly checkEvery?: number
    /** Starts another balancer than the default one, of servers that keep their addresses. */
    readonly balance?: (servers: readonly URL[]) => Promise<Balancer>
  }
}

/** Starts three servers with a wallet and a contract pair of their own. */
export async function startFleet(input: startFleet.Input): Promise<Fleet> {
  const { networks = [1, 2, 3].map(loopbackNetwork), program = serverProgram, anvil } = input
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address: owner.address, value: 10n ** 21n })
  // An earlier program knows no newer pair than its own.
  const deploy = program === serverProgram ? deployContracts : deployEarlierContracts
  const { registry, marketplace } = await deploy({ chain: anvil.url, wallet: owner })
  const shared = {
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: randomBytes(32).toString('hex'),
    OPEN_WRITES: 'true',
    ...input.bucket,
  }
  const home = mkdtempSync(join(tmpdir(), 'fleet-'))
  const diskOf = (machine: number) => join(home, String(machine))
  const reached = await Promise.all(
    networks.map((network, at) => settingsOf(network, { ...input, nodes: input.nodesOf?.(at) })),
  )
  const servers: RunningServer[] = []
  const ports = await Promise.all(networks.map(() => (input.balance ? freePort() : 0)))
  const addresses = networks.map(({ host }, machine) => new URL(`http://${host}:${ports[machine]}`))
  const balancer = await (input.balance?.(addresses) ?? startBalancer(input))
  const start = async (machine: number, program: string) => {
    const own = { DATA_DIR: diskOf(machine), PORT: `${ports[machine]}` }
    const settings = { ...shared, ...reached[machine], ...own }
    const server = await startServer(settings, program, networks[machine])
    servers[machine] = server
    await balancer.add(server.url)
  }
  const serverOf = (machine: number) => servers[machine] as RunningServer
  // One after the other: the first makes the sealing keys, which the others share.
  for (const machine of networks.keys()) await start(machine, program)
  return {
    owner,
    contracts: { registry, marketplace },
    balancer,
    networks,
    servers,
    start,
    replace: async (machine, next) => {
      const server = serverOf(machine)
      await balancer.drain(server.url)
      const code = await server.end('SIGTERM')
      if (code !== 0) throw new Error(`The server of machine ${machine} ended with ${code}.`)
      await start(machine, next)
    },
    kill: async (machine) => {
      await serverOf(machine).end('SIGKILL')
      balancer.remove(serverOf(machine).url)
    },
    wipe: (machine) => rmSync(diskOf(machine), { recursive: true }),
    stop: async () => {
      await balancer.close()
      await Promise.all(servers.map((server) => server.end('SIGKILL')))
      await Promise.all(networks.map((network) => network.remove()))
      rmSync(home, { recursive: true, force: true })
    },
  }
}

type Reached = Pick<startFleet.Input, 'anvil' | 'database' | 'bucket'> & {
  readonly nodes: readonly URL[] | undefined
}

/** Returns the addresses of the services as a machine reaches them, and its own. */
async function settingsOf(
  { reach, host }: MachineNetwork,
  { anvil, database, bucket, nodes = [anvil.url] }: Reached,
): Promise<Environment> {
  const [place = '', endpoint = ''] = bucket.BLOB_URL.split('?endpoint=')
  const [store, objects, ...chain] = await Promise.all(
    [database, new URL(endpoint), ...nodes].map((it) => reach(it)),
  )
  return {
    RPC_URL: chain.join(),
    DATABASE_URL: store?.href ?? '',
    HOST: host,
    BLOB_URL: `${place}?endpoint=${objects?.origin}`,
  }
}
