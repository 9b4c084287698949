import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { sqliteStore } from '@heirloom/adapters/store'
import fc from 'fast-check'
import { createPublicClient, http, type Log, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import {
  type Ask,
  type LaneChildOptions,
  type LaneProcess,
  type Reply,
  startLane,
} from '../harness/nonce-lane/lane-process.ts'
import { content } from '../harness/nonce-lane/lane-fixture.ts'
import { type FaultyProxy, faults, startProxy } from '../harness/chain/faulty-proxy.ts'

/** `SOAK_WRITES` asks for more writes, which `FC_SEED` chooses. */
const writes = Number(process.env.SOAK_WRITES ?? 300)
const seed = Number(process.env.FC_SEED ?? 11)
const timeout = writes > 300 ? 86_400_000 : 180_000
const inFlight = 64

let anvil: Anvil
let miner: Miner
let proxy: FaultyProxy
let folder: string

beforeAll(async () => {
  anvil = await startAnvil()
  miner = startMiner()
  proxy = await startProxy(anvil.url)
  folder = mkdtempSync(join(tmpdir(), 'soak-'))
})
afterAll(async () => {
  await miner.stop()
  await proxy.close()
  await anvil.stop()
  rmSync(folder, { recursive: true })
})

/** A write that can be told from every other on the chain, and what was heard of it. */
type Write = {
  readonly ask: Omit<Ask, 'id'>
  /** What the chain records of it: a content hash, or an amount that no other royalty has. */
  readonly trace: string
  /** What it does beside itself: nothing, kills the writer, or makes the chain forget blocks. */
  readonly mishap: 'none' | 'kill' | 'reorg'
  heard: 'nothing' | 'success' | string
}

const arbitraryWrite = fc.record({
  kind: fc.constantFrom('mint' as const, 'mint' as const, 'royalty' as const),
  keyed: fc.boolean(),
  mishap: fc.oneof(
    { weight: 94, arbitrary: fc.constant('none' as const) },
    { weight: 3, arbitrary: fc.constant('kill' as const) },
    { weight: 3, arbitrary: fc.constant('reorg' as const) },
  ),
})

function plan(): readonly Write[] {
  return fc
    .sample(arbitraryWrite, { numRuns: writes, seed })
    .map(({ kind, keyed, mishap }, index) => {
      const key = keyed ? { key: `key ${index}` } : {}
      if (kind === 'mint') {
        const mint = content(index)
        return { ask: { mint, ...key }, trace: mint, mishap, heard: 'nothing' }
      }
      const amount = String(index + 1)
      return { ask: { royalty: '1', amount, ...key }, trace: amount, mishap, heard: 'nothing' }
    })
}

test('mixed writes under random faults are each made once', { timeout }, async () => {
  const place = await newPlace()
  const balance = await balanceOf(place)
  const writer = keeper(place)
  await writer.ask({ mint: content('base') })
  // A reorganisation must not reach what the royalties are paid for.
  await testClient(anvil).mine({ blocks: 8 })
  const policy = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...faults) },
  )
  const faulty = fc.sample(policy, { numRuns: 50_000, seed })
  let call = 0
  proxy.arrange(() => faulty[call++ % faulty.length])

  const planned = plan()
  const queue = [...planned]
  const work = async () => {
    for (let write = queue.shift(); write !== undefined; write = queue.shift()) {
      await make(write, writer)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  proxy.arrange(() => undefined)
  // Whatever is still signed and unmined gets there before the last one answers.
  await writer.ask({ mint: content('last'), key: 'last' })
  await writer.stop()
  await audit({ place, planned, balance })
  const made = [...proxy.made.values()].reduce((sum, times) => sum + times, 0)
  const totals = `${writes} writes, ${made} faults, ${writer.kills()} kills, ${miner.reorganisations()} reorganisations`
  process.stdout.write(`${totals}: 0 lost, 0 doubled\n`)
})

/** Makes a write: under a key until it is made, without one only once. */
async function make(write: Write, writer: Keeper): Promise<void> {
  const reply = writer.ask(write.ask)
  if (write.mishap === 'kill') writer.kill()
  if (write.mishap === 'reorg') await miner.reorganise()
  write.heard = heardIn(await reply)
  while (write.ask.key !== undefined && write.heard !== 'success') {
    write.heard = heardIn(await writer.ask(write.ask))
  }
}

function heardIn(reply: Reply | undefined): Write['heard'] {
  if (reply === undefined) return 'nothing'
  return 'result' in reply ? 'success' : reply.code
}

/** Mines what is sent, and makes the chain forget blocks in between. */
type Miner = {
  /** Makes the chain forget its last two blocks. */
  reorganise(): Promise<void>
  reorganisations(): number
  stop(): Promise<void>
}

// One after another: a block that anvil mines by itself during a reorganisation loses its parent.
function startMiner(): Miner {
  const client = testClient(anvil)
  const wanted: (() => void)[] = []
  let reorganisations = 0
  let stopped = false
  const turn = async () => {
    const done = wanted.shift()
    if (done !== undefined) {
      await client.reorganise(2)
      reorganisations += 1
      done()
    } else if ((await client.getTxpoolStatus()).pending > 0) await client.mine({ blocks: 1 })
  }
  const work = async () => {
    await client.setAutomine(false)
    while (!stopped) await turn()
  }
  const ended = work()
  return {
    reorganise: () => new Promise((resolve) => wanted.push(resolve)),
    reorganisations: () => reorganisations,
    stop: () => {
      stopped = true
      return ended
    },
  }
}

async function newPlace(): Promise<LaneChildOptions> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 24n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  return {
    ...{ rpc: proxy.url.href, privateKey, contracts: { registry, marketplace } },
    store: { sqlite: join(folder, 'jobs.sqlite') },
    settings: { reorgDepth: 64, resendAfter: 200, outage: 60_000, patience: 60_000 },
  }
}

/** The writer of a place, whichever process it is at the moment. */
type Keeper = Pick<LaneProcess, 'ask' | 'stop'> & {
  /** Kills the process, and starts another. */
  kill(): void
  kills(): number
}

function keeper(place: LaneChildOptions): Keeper {
  let current = startLane(place)
  let kills = 0
  const restarted = async (dying: Promise<LaneProcess>) => {
    const { process, ended } = await dying
    process.kill('SIGKILL')
    await ended
    return startLane(place)
  }
  return {
    ask: async (ask) => (await current).ask(ask),
    stop: async () => (await current).stop(),
    kill: () => {
      kills += 1
      current = restarted(current)
    },
    kills: () => kills,
  }
}

function clientOf() {
  return createPublicClient({ transport: http(anvil.url.href), cacheTime: 0 })
}

function balanceOf({ privateKey }: LaneChildOptions): Promise<bigint> {
  const { address } = privateKeyToAccount(privateKey)
  return clientOf().getBalance({ address })
}

type Books = {
  readonly place: LaneChildOptions
  readonly planned: readonly Write[]
  /** What the wallet held before the first write, in wei. */
  readonly balance: bigint
}

/** Compares what was heard with what the chain and the lane recorded. */
async function audit({ place, planned, balance }: Books): Promise<void> {
  const { royalties, mints } = await recorded(place)
  const times = Map.groupBy([...mints, ...royalties], (trace) => trace)
  const count = ({ trace }: Write) => times.get(trace)?.length ?? 0
  const successes = planned.filter(({ heard }) => heard === 'success')
  expect(
    successes.filter((write) => count(write) === 0),
    'lost',
  ).toEqual([])
  expect(
    planned.filter((write) => count(write) > 1),
    'doubled',
  ).toEqual([])
  const known = new Set([...planned.map(({ trace }) => trace), content('base'), content('last')])
  expect(
    [...times.keys()].filter((trace) => !known.has(trace)),
    'unknown',
  ).toEqual([])
  expect(successes.length).toBeGreaterThan(planned.length / 2)

  // What the wallet pays to itself is spent, and comes back.
  const returned = royalties.reduce((sum, amount) => sum + BigInt(amount), 0n)
  expect(await spentIn(place)).toBe(balance - (await balanceOf(place)) + returned)
}

/** Reads what the chain holds, block by block from the newest to the first. */
async function recorded({ contracts }: LaneChildOptions) {
  const client = clientOf()
  const address = Object.values(contracts)
  const logs: Log[] = []
  let block = await client.getBlock()
  while (block.number > 0n) {
    if (block.transactions.length > 0) {
      logs.push(...(await client.getLogs({ address, blockHash: block.hash })))
    }
    block = await client.getBlock({ blockHash: block.parentHash })
  }
  const minted = parseEventLogs({ abi: memoryRegistryAbi, eventName: 'Minted', logs })
  const paid = parseEventLogs({ abi: memoryMarketplaceAbi, eventName: 'RoyaltyPaid', logs })
  return {
    mints: minted.map(({ args }) => args.contentHash as string),
    royalties: paid.map(({ args }) => String(args.amount)),
  }
}

async function spentIn({ store }: LaneChildOptions): Promise<bigint> {
  const { db, close } = await sqliteStore('sqlite' in store ? store.sqlite : '')
  const rows = await db.selectFrom('spending').select('spent').execute()
  await close()
  return rows.reduce((sum, { spent }) => sum + BigInt(spent), 0n)
}
