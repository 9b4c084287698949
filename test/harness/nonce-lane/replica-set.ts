import { deployContracts } from '@heirloom/adapters/contracts'
import { createPublicClient, type Hex, http, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import type { Postgres } from '../process/postgres.ts'
import {
  type CrashPoint,
  type LaneProcess,
  startLaneProcess,
  type WriteRequest,
  type WriteResponse,
} from './lane-process.ts'

export type Write = Omit<WriteRequest, 'id'>
/** A write with its response, which is absent if the replica died first. */
export type Exchange = { readonly write: Write; readonly response: WriteResponse | undefined }

/** Returns whether a write was made. */
export const isDone = ({ response }: Exchange): boolean =>
  response !== undefined && 'result' in response

/** The replicas of one wallet with its own contract pair and database. */
export type ReplicaSet = {
  /** Starts one more replica. */
  start(how?: ReplicaOptions): Promise<LaneProcess>
  /** Returns a function that counts a write on the chain; royalties by token. */
  countOnChain(): Promise<(write: Write) => number>
}

export type ReplicaOptions = {
  /** The port through which the replica connects to PostgreSQL. */
  readonly port?: number | undefined
  /** More variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, number>>
  readonly freezeAt?: CrashPoint
  /** The time of a lease, in milliseconds. */
  readonly leaseTime?: number | undefined
}

let databases = 0

/** Opens a replica set for a test: a wallet with money, its contracts, and an empty database. */
export async function openReplicaSet(
  anvil: Anvil,
  postgres: Pick<Postgres, 'url' | 'run'>,
): Promise<ReplicaSet> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const contracts = { registry, marketplace }
  const database = `replicas_${databases++}`
  await postgres.run(`CREATE DATABASE ${database}`)
  const started: LaneProcess[] = []
  onTestFinished(() => Promise.all(started.map(stop)).then(() => undefined))
  return {
    countOnChain: () => countOnChain(anvil, contracts),
    start: async ({ port, settings, ...options } = {}) => {
      const url = new URL(`/${database}`, postgres.url)
      if (port !== undefined) url.port = String(port)
      const replica = await startLaneProcess({
        rpc: anvil.url.href,
        privateKey,
        contracts,
        store: { postgres: url.href },
        settings: { callerTimeout: 120_000, resendAfter: 200, ...settings },
        ...options,
      })
      started.push(replica)
      return replica
    },
  }
}

/** Lets a replica finish, also one that is frozen. */
function stop(replica: LaneProcess): Promise<void> {
  replica.process.kill('SIGCONT')
  return replica.stop()
}

async function countOnChain(
  anvil: Anvil,
  { registry, marketplace }: { registry: Hex; marketplace: Hex },
) {
  const client = createPublicClient({ transport: http(anvil.url.href) })
  const range = { fromBlock: 0n, toBlock: 'latest', strict: true } as const
  const minted = await client.getContractEvents({
    ...range,
    address: registry,
    abi: memoryRegistryAbi,
    eventName: 'Minted',
  })
  const paid = await client.getContractEvents({
    ...range,
    address: marketplace,
    abi: memoryMarketplaceAbi,
    eventName: 'RoyaltyPaid',
  })
  const seen = Map.groupBy(
    [
      ...minted.map(({ args }) => String(args.contentHash)),
      ...paid.map(({ args }) => String(args.tokenId)),
    ],
    (name) => name,
  )
  return ({ mint, royalty }: Write) => seen.get(mint ?? royalty ?? '')?.length ?? 0
}

/** Makes one block each second for the rest of the test, not one for each transaction. */
export async function mineEverySecond(anvil: Anvil): Promise<void> {
  const client = testClient(anvil)
  await client.setIntervalMining({ interval: 1 })
  onTestFinished(async () => {
    await client.setIntervalMining({ interval: 0 })
    await client.setAutomine(true)
  })
}

let names = 0

/** Returns mints of different content, half of them with an idempotency key. */
export function mints(count: number): readonly Write[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `write ${names++}`
    return { mint: keccak256(toHex(name)), ...(index % 2 === 0 ? { key: name } : {}) }
  })
}

/** Returns one royalty for each token, half of them with an idempotency key. */
export function royalties(tokens: readonly (string | undefined)[]): readonly Write[] {
  return tokens.map((royalty = '', index) => ({
    royalty,
    ...(index % 2 === 0 ? { key: `royalty ${names++}` } : {}),
  }))
}

/** Sends a write to a replica. */
export const send = async (replica: LaneProcess, write: Write): Promise<Exchange> => ({
  write,
  response: await replica.write(write),
})

/** Sends all writes at once, to the replicas in turn. */
export function sendAll(
  replicas: readonly LaneProcess[],
  writes: readonly Write[],
): Promise<Exchange>[] {
  return writes.map((write, index) => send(replicas[index % replicas.length] as LaneProcess, write))
}

/** Resolves when the given number of writes are done. */
export function whenDone(exchanges: readonly Promise<Exchange>[], count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    const onEnd = (exchange: Exchange) => {
      if (isDone(exchange)) left -= 1
      if (left === 0) resolve()
    }
    if (left === 0) resolve()
    for (const it of exchanges) void it.then(onEnd)
  })
}

/** Returns the first replica that leads. */
export function leaderOf(replicas: readonly LaneProcess[]): Promise<LaneProcess> {
  return Promise.any(replicas.map((replica) => replica.leads.then(() => replica)))
}

/** Expects every write to be done. */
export const expectAllDone = (exchanges: readonly Exchange[]) =>
  expect(exchanges.filter((it) => !isDone(it))).toEqual([])

/** The numbers of an audit. */
export type Audit = {
  readonly jobs: number
  readonly unanswered: number
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
}

/**
 * Repeats unfinished writes that have a key, and compares every response with the chain: nothing is
 * lost, done twice, or done although it was refused.
 */
export async function audit(
  replicaSet: ReplicaSet,
  survivor: LaneProcess,
  all: readonly Exchange[],
): Promise<Audit> {
  const keyed = all.filter((it) => !isDone(it) && it.write.key !== undefined)
  const repeated = await Promise.all(keyed.map(({ write }) => send(survivor, write)))
  expectAllDone(repeated)
  const count = await replicaSet.countOnChain()
  const acknowledged = [...all.filter(isDone), ...repeated]
  const lost = acknowledged.filter(({ write }) => count(write) < 1)
  const doubled = all.filter(({ write }) => count(write) > 1)
  const refused = all.filter(
    ({ response }) => response && 'code' in response && isNoEffect(response.code),
  )
  const untrue = refused.filter(({ write }) => write.key === undefined && count(write) > 0)
  expect({ lost, doubled, untrue }).toEqual({ lost: [], doubled: [], untrue: [] })
  return {
    jobs: all.length,
    unanswered: all.filter((it) => !isDone(it)).length,
    acknowledged: acknowledged.length,
    lost: lost.length,
    doubled: doubled.length,
  }
}

/** Returns whether a failure says that the write had no effect. */
const isNoEffect = (code: string) => ['ledger/unavailable', 'store/unavailable'].includes(code)

/** Returns the token of each write that made one. */
export const tokens = (all: readonly Exchange[]) =>
  all.flatMap(({ response }) => {
    const token = response && 'result' in response ? response.result.tokenId : undefined
    return token === undefined ? [] : [token]
  })
