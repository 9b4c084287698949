import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import fc from 'fast-check'
import { createPublicClient, http, type Log, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { type FaultyProxy, faults, startProxy } from '../harness/chain/faulty-proxy.ts'
import { content } from '../harness/nonce-lane/lane-fixture.ts'
import {
  type LaneProcess,
  type LaneProcessOptions,
  startLaneProcess,
  type WriteRequest,
  type WriteResponse,
} from '../harness/nonce-lane/lane-process.ts'
import { times } from '../tier.ts'

/** `SOAK_WRITES` sets the number of writes, and `FC_SEED` selects other random ones. */
const writes = Number(process.env.SOAK_WRITES ?? times(60, 300))
const seed = Number(process.env.FC_SEED ?? 11)
const concurrency = 64

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

/** A write that the chain distinguishes from every other, and its result. */
type Write = {
  readonly request: Omit<WriteRequest, 'id'>
  /** Its trace on the chain: a content hash, or an amount that no other royalty has. */
  readonly trace: string
  /** The fault that comes with it: none, a kill of the writer, or a reorganisation. */
  readonly fault: 'none' | 'kill' | 'reorg'
  /** `success`, or the code of a failure. */
  result: 'nothing' | 'success' | string
}

const arbitraryWrite = fc.record({
  kind: fc.constantFrom('mint' as const, 'mint' as const, 'royalty' as const),
  keyed: fc.boolean(),
  fault: fc.oneof(
    { weight: 94, arbitrary: fc.constant('none' as const) },
    { weight: 3, arbitrary: fc.constant('kill' as const) },
    { weight: 3, arbitrary: fc.constant('reorg' as const) },
  ),
})

function planWrites(): readonly Write[] {
  return fc
    .sample(arbitraryWrite, { numRuns: writes, seed })
    .map(({ kind, keyed, fault }, index) => {
      const key = keyed ? { key: `key ${index}` } : {}
      if (kind === 'mint') {
        const mint = content(index)
        return { request: { mint, ...key }, trace: mint, fault, result: 'nothing' }
      }
      const amount = String(index + 1)
      const request = { royalty: '1', amount, ...key }
      return { request, trace: amount, fault, result: 'nothing' }
    })
}

test('mixed writes under random faults are each made once', async () => {
  const wallet = await newWallet()
  const balance = await balanceOf(wallet)
  const writer = startWriter(wallet)
  await writer.write({ mint: content('base') })
  // No reorganisation may undo the token that the royalties are paid for.
  await testClient(anvil).mine({ blocks: 8 })
  const policy = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...faults) },
  )
  const faulty = fc.sample(policy, { numRuns: 50_000, seed })
  let call = 0
  proxy.arrange(() => faulty[call++ % faulty.length])

  const planned = planWrites()
  const queue = [...planned]
  const work = async () => {
    for (let write = queue.shift(); write !== undefined; write = queue.shift()) {
      await make(write, writer)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  proxy.arrange(() => undefined)
  // Earlier nonces are mined before this write is settled.
  await writer.write({ mint: content('last'), key: 'last' })
  await writer.stop()
  await audit({ wallet, planned, balance })
  const faultCount = [...proxy.made.values()].reduce((sum, times) => sum + times, 0)
  const totals = `${writes} writes, ${faultCount} faults, ${writer.kills()} kills, ${miner.reorganisations()} reorganisations`
  process.stdout.write(`${totals}: 0 lost, 0 doubled\n`)
})

/** Makes a write: repeatedly until it succeeds if it has a key, and otherwise once. */
async function make(write: Write, writer: Writer): Promise<void> {
  const response = writer.write(write.request)
  if (write.fault === 'kill') writer.kill()
  if (write.fault === 'reorg') await miner.reorganise()
  write.result = resultOf(await response)
  while (write.request.key !== undefined && write.result !== 'success') {
    write.result = resultOf(await writer.write(write.request))
  }
}

function resultOf(response: WriteResponse | undefined): Write['result'] {
  if (response === undefined) return 'nothing'
  return 'result' in response ? 'success' : response.code
}

/** Mines pending transactions, and reorganises the chain between two blocks. */
type Miner = {
  /** Removes the last two blocks of the chain. */
  reorganise(): Promise<void>
  reorganisations(): number
  stop(): Promise<void>
}

// Sequential, because a block that anvil mines during a reorganisation loses its parent.
function startMiner(): Miner {
  const client = testClient(anvil)
  const requested: (() => void)[] = []
  let reorganisations = 0
  let stopped = false
  const turn = async () => {
    const done = requested.shift()
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
    reorganise: () => new Promise((resolve) => requested.push(resolve)),
    reorganisations: () => reorganisations,
    stop: () => {
      stopped = true
      return ended
    },
  }
}

async function newWallet(): Promise<LaneProcessOptions> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 24n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  return {
    rpc: proxy.url.href,
    privateKey,
    contracts: { registry, marketplace },
    store: { sqlite: join(folder, 'jobs.sqlite') },
    // A restarted process must not fail at a fault of its one question for the id of the chain.
    settings: {
      chainId: 31337,
      reorgDepth: 64,
      resendAfter: 200,
      outageTimeout: 60_000,
      callerTimeout: 60_000,
    },
  }
}

/** The current process that writes for a wallet. */
type Writer = Pick<LaneProcess, 'write' | 'stop'> & {
  /** Kills the process and starts another. */
  kill(): void
  kills(): number
}

function startWriter(options: LaneProcessOptions): Writer {
  let current = startLaneProcess(options)
  let kills = 0
  const restart = async (previous: Promise<LaneProcess>) => {
    const { process, ended } = await previous
    process.kill('SIGKILL')
    await ended
    return startLaneProcess(options)
  }
  return {
    write: async (request) => (await current).write(request),
    stop: async () => (await current).stop(),
    kill: () => {
      kills += 1
      current = restart(current)
    },
    kills: () => kills,
  }
}

function clientOf() {
  return createPublicClient({ transport: http(anvil.url.href), cacheTime: 0 })
}

function balanceOf({ privateKey }: LaneProcessOptions): Promise<bigint> {
  const { address } = privateKeyToAccount(privateKey)
  return clientOf().getBalance({ address })
}

type Audit = {
  readonly wallet: LaneProcessOptions
  readonly planned: readonly Write[]
  /** The balance of the wallet before the first write, in wei. */
  readonly balance: bigint
}

/** Compares the results of the writes with the chain, and the lane's spending with the balance. */
async function audit({ wallet, planned, balance }: Audit): Promise<void> {
  const { royalties, mints } = await readTraces(wallet)
  const onChain = Map.groupBy([...mints, ...royalties], (trace) => trace)
  const count = ({ trace }: Write) => onChain.get(trace)?.length ?? 0
  const successes = planned.filter(({ result }) => result === 'success')
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
    [...onChain.keys()].filter((trace) => !known.has(trace)),
    'unknown',
  ).toEqual([])
  expect(successes.length).toBeGreaterThan(planned.length / 2)

  // The lane counts royalties to the wallet itself as spent, but they come back.
  const returned = royalties.reduce((sum, amount) => sum + BigInt(amount), 0n)
  expect(await spentIn(wallet)).toBe(balance - (await balanceOf(wallet)) + returned)
}

/** Reads the traces of all writes, block by block from the newest to the first. */
async function readTraces({ contracts }: LaneProcessOptions) {
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

async function spentIn({ store }: LaneProcessOptions): Promise<bigint> {
  const { db, close } = await sqliteJobStore('sqlite' in store ? store.sqlite : '')
  const rows = await db.selectFrom('spending').select('spent').execute()
  await close()
  return rows.reduce((sum, { spent }) => sum + BigInt(spent), 0n)
}
