import { account, isFailure, wei } from '@heirloom/core'
import { expect, test } from 'vitest'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'
import { longestWait } from '../tier.ts'

const harness = laneHarness()

/** The longest time that a write waits for its answer, as docs/writes.md says, in milliseconds. */
const longestAnswer = 120_000

/** The time from a block to the next one, in milliseconds of the lane and of the chain. */
const blockTime = 20_000

/** A price of gas sixty times that of a calm chain, in wei. */
const dear = 60n * 10n ** 9n
const calm = 10n ** 9n

const eventsOf = (kind: string) => harness.fixture.events.filter((event) => event.kind === kind)

/** A client that repeats a write under its key until it succeeds. */
type Client = {
  readonly name: string
  /** The times that its requests took, in milliseconds of the blocks. */
  readonly took: number[]
  readonly failures: unknown[]
  state: 'idle' | 'waiting' | 'done'
}

/** Opens a lane whose clock moves with the blocks, and clients of it. */
async function openTimedLane() {
  let passed = 0
  const now = () => Date.now() + passed
  const ledger = await harness.fixture.open({ now, callerTimeout: longestWait })
  const clients: Client[] = []
  const ask = async (client: Client) => {
    client.state = 'waiting'
    const begun = passed
    const failure = await mint(ledger, client.name, client.name).then(
      () => undefined,
      (error: unknown) => error,
    )
    client.took.push(passed - begun)
    if (failure !== undefined) client.failures.push(failure)
    client.state = failure === undefined ? 'done' : 'idle'
  }
  return {
    ledger,
    clients,
    write: (name: string) => {
      const client: Client = { name, took: [], failures: [], state: 'idle' }
      clients.push(client)
      void ask(client)
    },
    /** Makes a block at a base fee, waits until the lane has seen it, and lets clients ask again. */
    mine: async (baseFeePerGas: bigint) => {
      passed += blockTime
      await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
      await harness.chain.increaseTime({ seconds: blockTime / 1000 })
      await harness.chain.mine({ blocks: 1 })
      const mined = await harness.fixture.client.getBlockNumber()
      const hasSeen = () =>
        harness.fixture.events.some((it) => it.kind === 'head' && it.number >= mined)
      await until(() => hasSeen() || clients.every(({ state }) => state !== 'waiting'))
      for (const client of clients.filter(({ state }) => state === 'idle')) void ask(client)
    },
  }
}

type TimedLane = Awaited<ReturnType<typeof openTimedLane>>

/** Makes three writes on a calm chain that mines nothing, then twelve in as many minutes of a surge. */
async function playSurge({ clients, write, mine }: TimedLane): Promise<void> {
  await harness.chain.setAutomine(false)
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: calm })
  await harness.chain.mine({ blocks: 1 })
  for (const at of [0, 1, 2]) {
    write(`before ${at}`)
    await until(() => eventsOf('signed').length === at + 1)
  }
  for (let minute = 0; minute < 12; minute++) {
    for (let passed = 0; passed < 60_000; passed += blockTime) await mine(dear)
    write(`in minute ${minute}`)
  }
  while (clients.some(({ state }) => state !== 'done')) await mine(calm)
  await harness.chain.setAutomine(true)
}

test('a surge of sixty times the price holds no write, and every key settles once', async () => {
  const lane = await openTimedLane()
  await playSurge(lane)
  const took = lane.clients.flatMap((client) => client.took)
  // The clock may move on to the next block while the lane still acts on one that it has seen.
  expect(Math.max(...took)).toBeLessThanOrEqual(longestAnswer + blockTime)
  const failures = lane.clients.flatMap((client) => client.failures)
  // One decision for each of the three, however many blocks leave it out.
  const decisions = eventsOf('unreplaced') as readonly { needed?: bigint; limit?: bigint }[]
  expect([failures.length, decisions.length]).toEqual([3, 3])
  for (const { needed = 0n, limit = 0n } of decisions) expect(needed).toBeGreaterThan(limit)
  for (const failure of failures) {
    if (!isFailure(failure, 'transaction/cancelled')) throw failure
    const { needed = 0n, limit = 0n } = failure.facts
    expect(needed).toBeGreaterThan(limit)
    expect(failure.message).toMatch(new RegExp(`${needed} wei.*${limit} wei.*try again`))
  }
  const names = lane.clients.map(({ name }) => name)
  await expectBalanced(harness.fixture, names)
})

test('a cancellation above its own bound waits at that bound, and is mined once the chain allows it', async () => {
  const { clients, write, mine } = await openTimedLane()
  await harness.chain.setAutomine(false)
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: calm })
  await harness.chain.mine({ blocks: 1 })
  write('before')
  await until(() => eventsOf('signed').length === 1)
  for (let blocks = 0; blocks < 8; blocks++) await mine(10_000n * dear)
  expect([eventsOf('cancelled').length, eventsOf('settled').length]).toEqual([1, 0])
  const decisions = eventsOf('unreplaced') as readonly { needed?: bigint; limit?: bigint }[]
  // The first is of the write, the second of its cancellation: a hundredth of a coin for 21,000 gas.
  expect(decisions.map(({ limit }) => limit)).toEqual([expect.any(BigInt), 10n ** 16n / 21_000n])
  while (clients.some(({ state }) => state !== 'done')) await mine(dear)
  await harness.chain.setAutomine(true)
  await expectBalanced(harness.fixture, ['before'])
})

test('a write that a spending limit keeps from the price of the chain holds none behind it', async () => {
  const { address } = harness.fixture.wallet
  const budget = { name: 'shop', perCall: wei(10n ** 15n) }
  const { ledger, write, clients, mine } = await openTimedLane()
  await harness.chain.setAutomine(false)
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: calm })
  await harness.chain.mine({ blocks: 1 })
  const limited = outcomeOf(
    ledger.mint({
      contentHash: content('limited'),
      digest: content('limited') as never,
      parent: undefined,
      recipient: account(address),
      budget,
    }),
  )
  await until(() => eventsOf('signed').length === 1)
  await mine(12n * calm)
  write('behind')
  for (let blocks = 0; blocks < 5; blocks++) await mine(12n * calm)
  expect(await limited).toBe('transaction/cancelled')
  expect(eventsOf('unreplaced')).toMatchObject([{ code: 'api-key/call-limit' }])
  while (clients.some(({ state }) => state !== 'done')) await mine(12n * calm)
  await harness.chain.setAutomine(true)
  await expectBalanced(harness.fixture, ['behind'])
})
