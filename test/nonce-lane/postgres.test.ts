import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { createPublicClient, type Hex, http, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import {
  type LaneProcess,
  startLaneProcess,
  type WriteRequest,
  type WriteResponse,
} from '../harness/nonce-lane/lane-process.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'

let anvil: Anvil
let postgres: Postgres

beforeAll(async () => {
  anvil = await startAnvil()
  postgres = await startPostgres()
})

afterAll(async () => {
  await anvil.stop()
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
})

type Write = Omit<WriteRequest, 'id'>
/** A write with its response, which is absent if the replica died first. */
type Exchange = { readonly write: Write; readonly response: WriteResponse | undefined }

const isDone = ({ response }: Exchange): boolean => response !== undefined && 'result' in response
const tokenIn = (response: WriteResponse | undefined) =>
  response && 'result' in response ? response.result.tokenId : undefined

/** The replicas of one wallet with its own contract pair and database. */
type ReplicaSet = {
  /** Starts one more replica, which connects to PostgreSQL through `port` if it is given. */
  start(port?: number): Promise<LaneProcess>
  /** Returns a function that counts a write on the chain; royalties by token. */
  countOnChain(): Promise<(write: Write) => number>
}

let databases = 0

async function openReplicaSet(): Promise<ReplicaSet> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const contracts = { registry, marketplace }
  const database = `replicas_${databases++}`
  await postgres.run(`CREATE DATABASE ${database}`)
  const started: LaneProcess[] = []
  onTestFinished(() => Promise.all(started.map((replica) => replica.stop())).then(() => undefined))
  return {
    countOnChain: () => countOnChain(contracts),
    start: async (port) => {
      const url = new URL(`/${database}`, postgres.url)
      if (port !== undefined) url.port = String(port)
      const replica = await startLaneProcess({
        ...{ rpc: anvil.url.href, privateKey, contracts, store: { postgres: url.href } },
        settings: { callerTimeout: 20_000, resendAfter: 200 },
      })
      started.push(replica)
      return replica
    },
  }
}

async function countOnChain({ registry, marketplace }: { registry: Hex; marketplace: Hex }) {
  const client = createPublicClient({ transport: http(anvil.url.href) })
  const range = { fromBlock: 0n, toBlock: 'latest', strict: true } as const
  const minted = await client.getContractEvents({
    ...{ ...range, address: registry, abi: memoryRegistryAbi, eventName: 'Minted' },
  })
  const paid = await client.getContractEvents({
    ...{ ...range, address: marketplace, abi: memoryMarketplaceAbi, eventName: 'RoyaltyPaid' },
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
async function mineEverySecond(): Promise<void> {
  const client = testClient(anvil)
  await client.setIntervalMining({ interval: 1 })
  onTestFinished(async () => {
    await client.setIntervalMining({ interval: 0 })
    await client.setAutomine(true)
  })
}

let names = 0

/** Returns mints of different content, half of them with an idempotency key. */
function mints(count: number): readonly Write[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `write ${names++}`
    return { mint: keccak256(toHex(name)), ...(index % 2 === 0 ? { key: name } : {}) }
  })
}

/** Returns one royalty for each token, half of them with an idempotency key. */
function royalties(tokens: readonly (string | undefined)[]): readonly Write[] {
  return tokens.map((royalty = '', index) => ({
    royalty,
    ...(index % 2 === 0 ? { key: `royalty ${names++}` } : {}),
  }))
}

/** Returns the writes of two lists in turn. */
const interleave = (some: readonly Write[], others: readonly Write[]): readonly Write[] =>
  some.flatMap((write, index) => [write, ...others.slice(index, index + 1)])

const send = async (replica: LaneProcess, write: Write): Promise<Exchange> => ({
  write,
  response: await replica.write(write),
})

/** Sends all writes at once, to the replicas in turn. */
function sendAll(replicas: readonly LaneProcess[], writes: readonly Write[]): Promise<Exchange>[] {
  return writes.map((write, index) => send(replicas[index % replicas.length] as LaneProcess, write))
}

/** Resolves when the given number of writes are done. */
function whenDone(exchanges: readonly Promise<Exchange>[], count: number): Promise<void> {
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
function leaderOf(replicas: readonly LaneProcess[]): Promise<LaneProcess> {
  return Promise.any(replicas.map((replica) => replica.leads.then(() => replica)))
}

const tally = {
  jobs: 0,
  unanswered: 0,
  acknowledged: 0,
  kills: 0,
  restarts: 0,
  lost: 0,
  doubled: 0,
}

afterAll(() => {
  process.stdout.write(`lane on PostgreSQL: ${JSON.stringify(tally)}\n`)
})

/** Repeats unfinished writes that have a key, and compares every response with the chain. */
async function audit(
  replicaSet: ReplicaSet,
  survivor: LaneProcess,
  all: readonly Exchange[],
): Promise<void> {
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
  tally.jobs += all.length
  tally.unanswered += all.filter((it) => !isDone(it)).length
  tally.acknowledged += acknowledged.length
  tally.lost += lost.length
  tally.doubled += doubled.length
  expect({ lost, doubled, untrue }).toEqual({ lost: [], doubled: [], untrue: [] })
}

/** Returns whether a failure says that the write had no effect. */
const isNoEffect = (code: string) => code === 'ledger/unavailable'

const expectAllDone = (exchanges: readonly Exchange[]) =>
  expect(exchanges.filter((it) => !isDone(it))).toEqual([])

const tokens = (all: readonly Exchange[]) =>
  all.flatMap(({ response }) => {
    const token = tokenIn(response)
    return token === undefined ? [] : [token]
  })

describe('three replicas of one wallet', () => {
  test('make concurrent writes once each', async () => {
    const replicaSet = await openReplicaSet()
    const replicas = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const first = await Promise.all(sendAll(replicas, mints(30)))
    expectAllDone(first)
    expect(new Set(tokens(first)).size).toBe(30)
    const writes = interleave(mints(30), royalties(tokens(first)))
    const second = await Promise.all(sendAll(replicas, writes))
    expectAllDone(second)
    expect(new Set(tokens([...first, ...second])).size).toBe(60)
    const count = await replicaSet.countOnChain()
    expect([...first, ...second].map(({ write }) => count(write))).toEqual(Array(90).fill(1))
    await audit(replicaSet, replicas[0], [...first, ...second])
  })

  test('make a write once that two of them get with one key, in any order', async () => {
    const replicaSet = await openReplicaSet()
    const [one, other] = await Promise.all([
      replicaSet.start(),
      replicaSet.start(),
      replicaSet.start(),
    ])
    const keyed = mints(60).filter(({ key }) => key !== undefined)
    const forward = Promise.all(keyed.map((write) => send(one, write)))
    const reversed = Promise.all(keyed.toReversed().map((write) => send(other, write)))
    const [ofOne, ofOther] = [await forward, (await reversed).toReversed()]
    expectAllDone([...ofOne, ...ofOther])
    const results = (all: readonly Exchange[]) =>
      all.map(({ response }) => (response && 'result' in response ? response.result : response))
    expect(results(ofOther)).toEqual(results(ofOne))
    expect(new Set(tokens(ofOne)).size).toBe(30)
    await audit(replicaSet, one, ofOne)
  })

  test('neither lose nor repeat a write when each leader is killed', async () => {
    const replicaSet = await openReplicaSet()
    await mineEverySecond()
    let alive = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const all = await Promise.all(sendAll(alive, mints(60)))
    for (const [round, killAfter] of [0, 1, 25].entries()) {
      const leader = await leaderOf(alive)
      const exchanges = sendAll(
        alive,
        interleave(mints(20), royalties(tokens(all).slice(20 * round))),
      )
      await whenDone(exchanges, killAfter)
      leader.process.kill('SIGKILL')
      tally.kills += 1
      await leader.ended
      const survivors = alive.filter((replica) => replica !== leader)
      alive = [...survivors, await replicaSet.start()] as typeof alive
      all.push(...(await Promise.all(exchanges)))
    }
    const last = await Promise.all(sendAll(alive, mints(6)))
    expectAllDone(last)
    await audit(replicaSet, alive[2], [...all, ...last])
  })
})

describe('a PostgreSQL server', () => {
  test('that crashes and restarts neither loses nor repeats a write', async () => {
    const replicaSet = await openReplicaSet()
    await mineEverySecond()
    const replicas = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const all = await Promise.all(sendAll(replicas, mints(60)))
    for (const [round, crashAfter] of [0, 1, 25].entries()) {
      const exchanges = sendAll(
        replicas,
        interleave(mints(20), royalties(tokens(all).slice(20 * round))),
      )
      await whenDone(exchanges, crashAfter)
      await restart('immediate')
      all.push(...(await Promise.all(exchanges)))
    }
    const last = await Promise.all(sendAll(replicas, mints(6)))
    expectAllDone(last)
    await audit(replicaSet, replicas[0], [...all, ...last])
  })

  test('that is restored from a copy neither loses nor repeats a write', async () => {
    const replicaSet = await openReplicaSet()
    await mineEverySecond()
    const replicas = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const first = await Promise.all(sendAll(replicas, mints(20)))
    const exchanges = sendAll(replicas, interleave(mints(20), royalties(tokens(first))))
    await whenDone(exchanges, 1)
    await restart('fast', replaceByCopy)
    const all = [...first, ...(await Promise.all(exchanges))]
    const last = await Promise.all(sendAll(replicas, mints(6)))
    expectAllDone(last)
    await audit(replicaSet, replicas[0], [...all, ...last])
  })
})

/** Stops PostgreSQL and starts it again on the same port. */
async function restart(mode: 'fast' | 'immediate', between = () => {}): Promise<void> {
  const { folder, url } = postgres
  await postgres.stop(mode)
  between()
  tally.restarts += 1
  postgres = await startPostgres({ folder, port: Number(url.port) })
}

function replaceByCopy(): void {
  const data = join(postgres.folder, 'data')
  execFileSync('cp', ['-a', data, `${data}-copy`])
  rmSync(data, { recursive: true })
  renameSync(`${data}-copy`, data)
}

test('a leader without a connection is replaced, writes nothing more, and recovers', async () => {
  const replicaSet = await openReplicaSet()
  await mineEverySecond()
  const gates = await Promise.all([1, 2, 3].map(() => openGate(Number(postgres.url.port))))
  onTestFinished(() => Promise.all(gates.map((gate) => gate.close())).then(() => undefined))
  const replicas = await Promise.all(gates.map(({ port }) => replicaSet.start(port)))
  const old = await leaderOf(replicas)
  const others = replicas.filter((replica) => replica !== old)
  const gate = gates[replicas.indexOf(old)]
  const first = await Promise.all(sendAll(replicas, mints(20)))
  const exchanges = sendAll(replicas, interleave(mints(20), royalties(tokens(first))))
  await whenDone(exchanges, 1)
  gate?.cut()
  const late = send(old, mints(1)[0] as Write)
  await leaderOf(others)
  const meanwhile = await Promise.all(sendAll(others, mints(10)))
  expectAllDone(meanwhile)
  gate?.open()
  const all = [...first, ...(await Promise.all(exchanges)), await late, ...meanwhile]
  const after = await Promise.all(sendAll([old], mints(6)))
  expectAllDone(after)
  await audit(replicaSet, others[0] as LaneProcess, [...all, ...after])
  for (const other of others) await other.stop()
  expect(await send(old, mints(1)[0] as Write)).toSatisfy(isDone)
})
