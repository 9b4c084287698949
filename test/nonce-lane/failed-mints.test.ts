import { type DecidedMint, decideFailedMints } from '@heirloom/adapters/internal/failed-mints'
import { hasJobFor } from '@heirloom/adapters/internal/job-queries'
import { digest } from '@heirloom/core'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { LaneEvent } from '../../packages/adapters/src/ledger/nonce-lane/lane-event.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

/** Returns the failed mints that are decided so many minutes later. */
async function decidedAfter(minutes: number, reorgDepth = 0) {
  const { anvil, contracts, store } = harness.fixture
  const later = { ...store, now: () => store.now() + minutes * 60_000 }
  const parts = { chain: anvil.url, contracts, store: later, reorgDepth }
  const decided: DecidedMint[] = []
  for await (const mint of decideFailedMints(parts)) decided.push(mint)
  return decided
}

/** Notes that a mint failed, as a wrong receipt would have it. */
async function noteFailure(key: string): Promise<void> {
  const outcome = JSON.stringify({ code: 'transaction/reverted', facts: { txHash: '0x' } })
  const { db } = harness.fixture.store
  await db.updateTable('job').set({ state: 'failed', outcome }).where('key', '=', key).execute()
}

/** Drops a transaction that the node was sent; returns whether it had it. */
const isDropped = (hash: Hex) =>
  harness.chain.dropTransaction({ hash }).then(
    () => true,
    () => false,
  )

const isNeeded = (name: string) => hasJobFor(harness.fixture.store, digest(content(name)))

test('a failed mint that is on the chain gets its token back, and its key answers it', async () => {
  const ledger = await harness.fixture.open()
  const { tokenId } = await mint(ledger, 'minted', 'the key')
  await noteFailure('the key')
  expect(await outcomeOf(mint(ledger, 'minted', 'the key'))).toBe('transaction/reverted')
  expect(await isNeeded('minted')).toBe(true)
  expect(await decidedAfter(9)).toEqual([])
  const [found, ...others] = await decidedAfter(11)
  expect([found?.tokenId, others]).toEqual([tokenId, []])
  await found?.settle()
  expect(await mint(ledger, 'minted', 'the key')).toMatchObject({ tokenId })
  expect(await decidedAfter(11)).toEqual([])
})

test('a failed mint is decided at a block that no reorganisation undoes', async () => {
  const ledger = await harness.fixture.open()
  await mint(ledger, 'minted', 'the key')
  await noteFailure('the key')
  expect(await decidedAfter(11, 64)).toEqual([])
  await harness.chain.mine({ blocks: 64 })
  expect(await decidedAfter(11, 64)).toHaveLength(1)
})

test.each(['the key', undefined])(
  'a cancelled mint keeps its blobs until the chain says that there is no token (key: %s)',
  async (key) => {
    const ledger = await harness.fixture.open({ stuckAfter: 0, cancelAfter: 0, reorgDepth: 64 })
    await harness.chain.setAutomine(false)
    const minting = outcomeOf(mint(ledger, 'cancelled', key))
    await until(() => harness.countEvents('signed') === 1)
    const [signed] = harness.fixture.events.filter(({ kind }) => kind === 'signed')
    const { txHash: hash } = signed as Extract<LaneEvent, { kind: 'signed' }>
    await until(() => isDropped(hash))
    while (harness.countEvents('settled') < 1) await harness.chain.mine({ blocks: 1 })
    await harness.chain.setAutomine(true)
    const outcome = await minting
    // The node may have had the bytes back from a second send.
    if (typeof outcome === 'object') return
    expect(outcome).toBe('transaction/cancelled')
    expect(await isNeeded('cancelled')).toBe(true)
    await harness.chain.mine({ blocks: 64 })
    const [found] = await decidedAfter(11, 64)
    expect([found?.digest, found?.tokenId]).toEqual([content('cancelled'), undefined])
    await found?.settle()
    expect(await isNeeded('cancelled')).toBe(false)
    expect(await decidedAfter(11, 64)).toEqual([])
  },
)

/** Mints a pair twice, of which the first transaction is cancelled, and returns both outcomes. */
async function mintTwice(name: string) {
  const { fixture, chain, countEvents } = harness
  const times = { stuckAfter: 0, cancelAfter: 0, resendAfter: 1_000_000 }
  const ledger = await fixture.open({ ...times, reorgDepth: 64 })
  await chain.setAutomine(false)
  const first = outcomeOf(mint(ledger, name, 'first'))
  await until(() => countEvents('signed') === 1)
  const [signed] = fixture.events.filter(({ kind }) => kind === 'signed')
  const { txHash: hash } = signed as Extract<LaneEvent, { kind: 'signed' }>
  await until(() => isDropped(hash))
  const second = outcomeOf(mint(ledger, name, 'second'))
  await until(() => countEvents('signed') === 2)
  // The block leaves out the second one, too, since the nonce before it is free.
  await chain.mine({ blocks: 1 })
  await until(() => countEvents('cancelled') === 1)
  await chain.mine({ blocks: 1 })
  await chain.setAutomine(true)
  return { first: await first, second: await second }
}

test('a cancelled mint is decided although another one has minted the same pair', async () => {
  const { first, second } = await mintTwice('twin')
  expect([first, second]).toEqual([
    'transaction/cancelled',
    expect.objectContaining({ tokenId: 1n }),
  ])
  await harness.chain.mine({ blocks: 64 })
  const [found, ...others] = await decidedAfter(11, 64)
  // Its blobs are those of the other one.
  expect([found?.tokenId, found?.isPairMinted, others]).toEqual([undefined, true, []])
  await found?.settle()
  expect(await isNeeded('twin')).toBe(true)
  expect(await decidedAfter(11, 64)).toEqual([])
})
