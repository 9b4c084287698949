import { type DecidedMint, decideFailedMints } from '@heirloom/adapters/internal/failed-mints'
import { hasJobFor } from '@heirloom/adapters/internal/job-queries'
import { digest } from '@heirloom/core'
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
    await until(() =>
      harness.chain.dropTransaction({ hash }).then(
        () => true,
        () => false,
      ),
    )
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
