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
import { type Ask, type LaneProcess, type Reply, startLane } from '../harness/nonce-lane/lane-process.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'

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

/** What a test asks replicas for. */
type Write = Omit<Ask, 'id'>
/** A write, and what its caller was told; nothing when the replica died first. */
type Told = { readonly write: Write; readonly reply: Reply | undefined }

const isDone = ({ reply }: Told): boolean => reply !== undefined && 'result' in reply
const tokenIn = (reply: Reply | undefined) =>
  reply && 'result' in reply ? reply.result.tokenId : undefined

/** Replicas of one wallet, which has a contract pair and a database of its own. */
type Place = {
  /** Starts one more replica; through a gate when there is one. */
  start(port?: number): Promise<LaneProcess>
  /** Counts how often a write is on the chain; royalties by the token they are paid for. */
  timesOf(): Promise<(write: Write) => number>
}

let places = 0

async function place(): Promise<Place> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const contracts = { registry, marketplace }
  const database = `place_${places++}`
  await postgres.run(`CREATE DATABASE ${database}`)
  const replicas: LaneProcess[] = []
  onTestFinished(() => Promise.all(replicas.map((replica) => replica.stop())).then(() => undefined))
  return {
    timesOf: () => timesOf(contracts),
    start: async (port) => {
      const url = new URL(`/${database}`, postgres.url)
      if (port !== undefined) url.port = String(port)
      const replica = await startLane({
        ...{ rpc: anvil.url.href, privateKey, contracts, store: { postgres: url.href } },
        settings: { patience: 20_000, resendAfter: 200 },
      })
      replicas.push(replica)
      return replica
    },
  }
}

async function timesOf({ registry, marketplace }: { registry: Hex; marketplace: Hex }) {
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

/** Makes a block each second, as chains do, rather than one for each transaction, for a test. */
async function mineSlowly(): Promise<void> {
  const client = testClient(anvil)
  await client.setIntervalMining({ interval: 1 })
  onTestFinished(async () => {
    await client.setIntervalMining({ interval: 0 })
    await client.setAutomine(true)
  })
}

let names = 0

/** Returns writes of which each leaves a trace of its own: mints, half of them with a key. */
function mints(count: number): readonly Write[] {
  return Array.from({ length: count }, (_, place) => {
    const name = `write ${names++}`
    return { mint: keccak256(toHex(name)), ...(place % 2 === 0 ? { key: name } : {}) }
  })
}

/** Returns one royalty for each token, half of them with a key. */
function royalties(tokens: readonly (string | undefined)[]): readonly Write[] {
  return tokens.map((royalty = '', place) => ({
    royalty,
    ...(place % 2 === 0 ? { key: `royalty ${names++}` } : {}),
  }))
}

/** Mixes two lists. */
const mixed = (some: readonly Write[], others: readonly Write[]): readonly Write[] =>
  some.flatMap((write, place) => [write, ...others.slice(place, place + 1)])

const ask = async (replica: LaneProcess, write: Write): Promise<Told> => ({
  write,
  reply: await replica.ask(write),
})

/** Asks all replicas in turn for writes, all at once. */
function askAll(replicas: readonly LaneProcess[], writes: readonly Write[]): Promise<Told>[] {
  return writes.map((write, place) => ask(replicas[place % replicas.length] as LaneProcess, write))
}

/** Resolves when the given number of writes are done. */
function whenDone(asked: readonly Promise<Told>[], count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    const seen = (told: Told) => {
      if (isDone(told)) left -= 1
      if (left === 0) resolve()
    }
    if (left === 0) resolve()
    for (const it of asked) void it.then(seen)
  })
}

/** Returns the replica that began to lead first. */
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

/** Asks again for what has a key and was not done, and holds all that was told against the chain. */
async function account(there: Place, heir: LaneProcess, all: readonly Told[]): Promise<void> {
  const keyed = all.filter((told) => !isDone(told) && told.write.key !== undefined)
  const again = await Promise.all(keyed.map(({ write }) => ask(heir, write)))
  expect(again.filter((told) => !isDone(told))).toEqual([])
  const times = await there.timesOf()
  const sure = [...all.filter(isDone), ...again]
  const lost = sure.filter(({ write }) => times(write) < 1)
  const doubled = all.filter(({ write }) => times(write) > 1)
  const refused = all.filter(({ reply }) => reply && 'code' in reply && isNoEffect(reply.code))
  const untrue = refused.filter(({ write }) => write.key === undefined && times(write) > 0)
  tally.jobs += all.length
  tally.unanswered += all.filter((told) => !isDone(told)).length
  tally.acknowledged += sure.length
  tally.lost += lost.length
  tally.doubled += doubled.length
  expect({ lost, doubled, untrue }).toEqual({ lost: [], doubled: [], untrue: [] })
}

/** Tells whether a failure says that nothing was done. */
const isNoEffect = (code: string) => code === 'ledger/unavailable'

const tokens = (all: readonly Told[]) =>
  all.flatMap(({ reply }) => {
    const token = tokenIn(reply)
    return token === undefined ? [] : [token]
  })

describe('three replicas of one wallet', () => {
  test('do all that they are asked at once, each once', async () => {
    const there = await place()
    const replicas = await Promise.all([there.start(), there.start(), there.start()])
    const first = await Promise.all(askAll(replicas, mints(30)))
    expect(first.filter((told) => !isDone(told))).toEqual([])
    expect(new Set(tokens(first)).size).toBe(30)
    const writes = mixed(mints(30), royalties(tokens(first)))
    const second = await Promise.all(askAll(replicas, writes))
    expect(second.filter((told) => !isDone(told))).toEqual([])
    expect(new Set(tokens([...first, ...second])).size).toBe(60)
    const times = await there.timesOf()
    expect([...first, ...second].map(({ write }) => times(write))).toEqual(Array(90).fill(1))
    await account(there, replicas[0], [...first, ...second])
  })

  test('do once what two are asked for under one key, in any order', async () => {
    const there = await place()
    const [one, other] = await Promise.all([there.start(), there.start(), there.start()])
    const keyed = mints(60).filter(({ key }) => key !== undefined)
    const asked = Promise.all(keyed.map((write) => ask(one, write)))
    const reversed = Promise.all(keyed.toReversed().map((write) => ask(other, write)))
    const [here, elsewhere] = [await asked, (await reversed).toReversed()]
    expect([...here, ...elsewhere].filter((told) => !isDone(told))).toEqual([])
    const results = (all: readonly Told[]) =>
      all.map(({ reply }) => (reply && 'result' in reply ? reply.result : reply))
    expect(results(elsewhere)).toEqual(results(here))
    expect(new Set(tokens(here)).size).toBe(30)
    await account(there, one, here)
  })

  test('lose nothing to the death of each leader, and do nothing twice', async () => {
    const there = await place()
    await mineSlowly()
    let alive = await Promise.all([there.start(), there.start(), there.start()])
    const all = await Promise.all(askAll(alive, mints(60)))
    for (const [round, killAfter] of [0, 1, 25].entries()) {
      const leader = await leaderOf(alive)
      const asked = askAll(alive, mixed(mints(20), royalties(tokens(all).slice(20 * round))))
      await whenDone(asked, killAfter)
      leader.process.kill('SIGKILL')
      tally.kills += 1
      await leader.ended
      const survivors = alive.filter((replica) => replica !== leader)
      alive = [...survivors, await there.start()] as typeof alive
      all.push(...(await Promise.all(asked)))
    }
    const last = await Promise.all(askAll(alive, mints(6)))
    expect(last.filter((told) => !isDone(told))).toEqual([])
    await account(there, alive[2], [...all, ...last])
  })
})

describe('a PostgreSQL that is lost', () => {
  test('in a crash loses nothing when it is back, and nothing is done twice', async () => {
    const there = await place()
    await mineSlowly()
    const replicas = await Promise.all([there.start(), there.start(), there.start()])
    const all = await Promise.all(askAll(replicas, mints(60)))
    for (const [round, crashAfter] of [0, 1, 25].entries()) {
      const asked = askAll(replicas, mixed(mints(20), royalties(tokens(all).slice(20 * round))))
      await whenDone(asked, crashAfter)
      await restart('immediate')
      all.push(...(await Promise.all(asked)))
    }
    const last = await Promise.all(askAll(replicas, mints(6)))
    expect(last.filter((told) => !isDone(told))).toEqual([])
    await account(there, replicas[0], [...all, ...last])
  })

  test('and is restored from its copy goes on where it was', async () => {
    const there = await place()
    await mineSlowly()
    const replicas = await Promise.all([there.start(), there.start(), there.start()])
    const first = await Promise.all(askAll(replicas, mints(20)))
    const asked = askAll(replicas, mixed(mints(20), royalties(tokens(first))))
    await whenDone(asked, 1)
    await restart('fast', replaceByCopy)
    const all = [...first, ...(await Promise.all(asked))]
    const last = await Promise.all(askAll(replicas, mints(6)))
    expect(last.filter((told) => !isDone(told))).toEqual([])
    await account(there, replicas[0], [...all, ...last])
  })
})

/** Ends PostgreSQL and starts it again at the same place. */
async function restart(how: 'fast' | 'immediate', between = () => {}): Promise<void> {
  const { folder, url } = postgres
  await postgres.stop(how)
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

test('a leader that is cut off is replaced, does nothing more, and comes back', async () => {
  const there = await place()
  await mineSlowly()
  const gates = await Promise.all([1, 2, 3].map(() => openGate(Number(postgres.url.port))))
  onTestFinished(() => Promise.all(gates.map((gate) => gate.close())).then(() => undefined))
  const replicas = await Promise.all(gates.map(({ port }) => there.start(port)))
  const old = await leaderOf(replicas)
  const others = replicas.filter((replica) => replica !== old)
  const gate = gates[replicas.indexOf(old)]
  const first = await Promise.all(askAll(replicas, mints(20)))
  const asked = askAll(replicas, mixed(mints(20), royalties(tokens(first))))
  await whenDone(asked, 1)
  gate?.cut()
  const late = ask(old, mints(1)[0] as Write)
  await leaderOf(others)
  const meanwhile = await Promise.all(askAll(others, mints(10)))
  expect(meanwhile.filter((told) => !isDone(told))).toEqual([])
  gate?.open()
  const all = [...first, ...(await Promise.all(asked)), await late, ...meanwhile]
  const after = await Promise.all(askAll([old], mints(6)))
  expect(after.filter((told) => !isDone(told))).toEqual([])
  await account(there, others[0] as LaneProcess, [...all, ...after])
  for (const other of others) await other.stop()
  expect(await ask(old, mints(1)[0] as Write)).toSatisfy(isDone)
})
