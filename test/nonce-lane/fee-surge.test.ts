import { isFailure } from '@heirloom/core'
import { expect, test } from 'vitest'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { mint, until } from '../harness/nonce-lane/lane-fixture.ts'
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

test('a surge of sixty times the price holds no write, and every key settles once', async () => {
  const { clients, write, mine } = await openTimedLane()
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

  expect(Math.max(...clients.flatMap(({ took }) => took))).toBeLessThanOrEqual(longestAnswer)
  const failures = clients.flatMap((client) => client.failures)
  expect(failures).toHaveLength(3)
  for (const failure of failures) {
    if (!isFailure(failure, 'transaction/cancelled')) throw failure
    const { asked = 0n, allowed = 0n } = failure.facts
    expect(asked).toBeGreaterThan(allowed)
    expect(failure.message).toContain(`${asked} wei`)
    expect(failure.message).toContain(`${allowed}`)
  }
  // One decision for each of the three, however many blocks leave it out.
  const decisions = eventsOf('unreplaced') as readonly { asked?: bigint; allowed?: bigint }[]
  expect(decisions).toHaveLength(3)
  for (const { asked = 0n, allowed = 0n } of decisions) expect(asked).toBeGreaterThan(allowed)
  await harness.chain.setAutomine(true)
  await expectBalanced(
    harness.fixture,
    clients.map(({ name }) => name),
  )
})
