import { hasJobFor } from '@heirloom/adapters/internal/job-queries'
import { decodeMintContent } from '@heirloom/adapters/internal/mint-call'
import { digest, tokenId } from '@heirloom/core'
import { expect, test } from 'vitest'
import { pruneSize } from '../../packages/adapters/src/ledger/nonce-lane/prune.ts'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

type Table = 'job' | 'slot' | 'attempt'

const rowsOf = async (table: Table) =>
  (await harness.fixture.store.db.selectFrom(table).selectAll().execute()).length

/** The most slots that a leader leaves which looks for some to prune now and then. */
const most = pruneSize + 8

const untilPruned = (slots: number) => until(async () => (await rowsOf('slot')) <= slots)

/** Mints one token after another, each in a transaction of its own. */
async function mintInTurn(ledger: Parameters<typeof mint>[0], from: number, to: number) {
  for (let name = from; name < to; name++) await mint(ledger, name)
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test('what ended leaves the digests of its mints, and a last slot that shows the chain', async () => {
  const ledger = await harness.fixture.open()
  const count = 3 * pruneSize
  await mintInTurn(ledger, 0, count)
  await untilPruned(2 * pruneSize)
  const { store } = harness.fixture
  const slots = await store.db.selectFrom('slot').selectAll().orderBy('nonce').execute()
  expect(await rowsOf('attempt')).toBe(slots.length)
  expect(slots.at(-1)?.state).toBe('settled')
  // A row for each pruned step, instead of one for each mint.
  expect(await rowsOf('job')).toBeLessThan(2 * pruneSize + 3)
  for (const name of numbers(count)) {
    expect(await hasJobFor(store, digest(content(name)))).toBe(true)
  }
  expect(await hasJobFor(store, digest(content('never minted')))).toBe(false)
  await expectBalanced(harness.fixture, numbers(count))
})

test('a key answers for ever, also to a program that reads the call data', async () => {
  const ledger = await harness.fixture.open()
  const minted = await mint(ledger, 'keyed', 'a key')
  await mintInTurn(ledger, 0, 2 * pruneSize)
  await untilPruned(most)
  const { store } = harness.fixture
  const jobs = store.db.selectFrom('job').selectAll()
  const [row, ...more] = await jobs.where('key', '=', 'a key').execute()
  expect(more).toEqual([])
  expect(decodeMintContent(row?.data ?? '0x').digest).toBe(content('keyed'))
  expect(await mint(ledger, 'keyed', 'a key')).toEqual(minted)
  await expectBalanced(harness.fixture, ['keyed', ...numbers(2 * pruneSize)])
})

test('nothing goes that a reorganisation may undo, or that the next leader sends again', async () => {
  const ledger = await harness.fixture.open({ reorgDepth: 10 * pruneSize })
  await mintInTurn(ledger, 0, 2 * pruneSize)
  expect(await rowsOf('slot')).toBe(2 * pruneSize)
  expect(await rowsOf('attempt')).toBe(2 * pruneSize)
  await harness.chain.mine({ blocks: 10 * pruneSize })
  await mintInTurn(ledger, 2 * pruneSize, 3 * pruneSize)
  await untilPruned(2 * pruneSize)
})

test('what servers share stays while a caller of another one may read it', async () => {
  const store = { ...harness.fixture.store, isShared: true }
  const first = await harness.fixture.open({ store })
  await mintInTurn(first, 0, 2 * pruneSize)
  expect(await rowsOf('slot')).toBe(2 * pruneSize)
  await first.close()
  const later = await harness.fixture.open({ store, now: () => Date.now() + 600_000 })
  await mint(later, 'later')
  await untilPruned(most)
  await expectBalanced(harness.fixture, [...numbers(2 * pruneSize), 'later'])
})

test('writes that were refused go, too', async () => {
  const now = () => Date.now() - 600_000
  const ledger = await harness.fixture.open({ now })
  const contentHash = content('invalid')
  const unknown = { digest: digest(contentHash), parent: tokenId(99n), recipient: ledger.agent }
  for (const _ of numbers(3)) {
    expect(await outcomeOf(ledger.mint({ contentHash, ...unknown }))).toBe('token/not-found')
  }
  expect(await rowsOf('job')).toBe(3)
  await ledger.close()
  const later = await harness.fixture.open()
  await mint(later, 'valid')
  await until(async () => (await rowsOf('job')) === 1)
})

test('a failed settlement that became old while no process ran waits for the sweep of the start', async () => {
  let ahead = 0
  const ledger = await harness.fixture.open({ now: () => Date.now() + ahead })
  await mint(ledger, 'first')
  const { db } = harness.fixture.store
  const { id: lane } = await db.selectFrom('lane').select('id').executeTakeFirstOrThrow()
  const row = {
    ...({ lane, to: '0x', data: '0x', value: '0', state: 'failed' } as const),
    key: null,
    fingerprint: null,
    budget: null,
    nonce: null,
    txHash: null,
    outcome: null,
    requestId: null,
    traceparent: null,
    acceptedAt: Date.now() - 30 * 86_400_000,
  }
  const rows = [
    { ...row, id: 'settlement', operation: 'settle' },
    { ...row, id: 'refused', operation: 'list' },
  ]
  await db.insertInto('job').values(rows).execute()
  const left = async () => {
    const found = await db.selectFrom('job').select('id').where('state', '=', 'failed').execute()
    return found.map(({ id }) => id)
  }
  ahead = 61_000
  await mint(ledger, 'second')
  await until(async () => (await left()).length === 1)
  expect(await left()).toEqual(['settlement'])
  ahead = 3_700_000
  await mint(ledger, 'third')
  await until(async () => (await left()).length === 0)
})
