import { tokenId } from '@heirloom/core'
import { type Hex, toHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

let proxy: LyingProxy
beforeEach(async () => {
  proxy = await startLyingProxy(harness.anvil.url)
})
afterEach(() => proxy.close())

const open = (more = {}) =>
  harness.fixture.open({ chain: proxy.url, stuckAfter: 0, cancelAfter: 1_000_000, ...more })

/** Returns the number of times that an event of a kind named a nonce. */
const countOf = (kind: string, nonce: number) =>
  harness.fixture.events.filter((it) => it.kind === kind && 'nonce' in it && it.nonce === nonce)
    .length

/**
 * Undoes the newest block, and starts a write. The lane does not see that the block was undone, but
 * that the chain waits for its nonce, and sends the transaction of this nonce again.
 */
async function openGap(ledger: Parameters<typeof mint>[0]) {
  const { client, wallet } = harness.fixture
  await harness.chain.setAutomine(false)
  await harness.chain.reorganise(1)
  const nonce = await client.getTransactionCount({ address: wallet.address })
  const later = outcomeOf(mint(ledger, 'later'))
  await until(() => countOf('resent', nonce) > 0)
  return { nonce, later }
}

/** Mines all transactions from now on, and those that wait. */
async function mineAll(): Promise<void> {
  await harness.chain.setAutomine(true)
  await harness.chain.mine({ blocks: 1 })
}

/** Expects a token for each name, and no other. */
async function expectMinted(...names: readonly string[]): Promise<void> {
  const hashes = await harness.fixture.mintedHashes()
  expect(hashes.toSorted()).toEqual(names.map(content).toSorted())
}

/** Breaks the registry for the transactions of the next block. */
async function mineWithoutRegistry(): Promise<void> {
  const { client, contracts } = harness.fixture
  const address = contracts.registry
  const bytecode = (await client.getCode({ address })) as Hex
  await harness.chain.setCode({ address, bytecode: '0xfe' })
  await harness.chain.mine({ blocks: 1 })
  await harness.chain.setCode({ address, bytecode })
}

/** Returns the keyed jobs that have an outcome, and have not ended. */
const countInconsistent = async () => {
  const rows = await harness.fixture.store.db
    .selectFrom('job')
    .select('id')
    .where('state', 'in', ['queued', 'sent'])
    .where('outcome', 'is not', null)
    .execute()
  return rows.length
}

test('a write whose nonce another transaction takes after a gap has no outcome until it is made', async () => {
  const ledger = await open()
  await mint(ledger, 'undone', 'the key')
  const { nonce, later } = await openGap(ledger)
  const { wallet, client } = harness.fixture
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n, gas: 21_000n }
  const call = { nonce, to: wallet.address, chainId: 31337, type: 'eip1559' } as const
  const serializedTransaction = await wallet.signTransaction({ ...call, ...fees })
  await client.sendRawTransaction({ serializedTransaction })
  await harness.chain.mine({ blocks: 1 })
  await until(() => harness.countEvents('lost') === 1)
  // The other write has the number of its token now, so any may be the one that it makes.
  expect(await outcomeOf(ledger.provenance(tokenId(99n)))).toBe('ledger/unavailable')
  const repeated = outcomeOf(mint(ledger, 'undone', 'the key'))
  expect(await countInconsistent()).toBe(0)
  await mineAll()
  expect(await later).toHaveProperty('tokenId')
  expect(await repeated).toHaveProperty('tokenId')
  await expectMinted('undone', 'later')
})

test('a batch that reverts after a gap has no outcome until it is made', async () => {
  const ledger = await open()
  const names = ['one', 'other']
  await Promise.all(names.map((name) => mint(ledger, name, name)))
  const { nonce, later } = await openGap(ledger)
  await mineWithoutRegistry()
  await until(() => countOf('settled', nonce) === 2)
  const repeated = names.map((name) => outcomeOf(mint(ledger, name, name)))
  expect(await countInconsistent()).toBe(0)
  await mineAll()
  expect(await later).toBe('transaction/reverted')
  for (const it of repeated) expect(await it).toHaveProperty('tokenId')
  await expectMinted(...names)
})

test('a write that was sent again before its undone block is looked up is made once', async () => {
  const ledger = await open({ reorgDepth: 64 })
  await mint(ledger, 'undone')
  const undone = toHex(await harness.fixture.client.getBlockNumber())
  proxy.lie(({ method, params }, truth) =>
    method === 'eth_getBlockByNumber' && params[0] === undone ? null : truth,
  )
  const { nonce, later } = await openGap(ledger)
  // Too dear for the bytes of before, so that they are replaced.
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 5n * 10n ** 9n })
  await harness.chain.mine({ blocks: 1 })
  await until(() => countOf('replaced', nonce) > 0)
  await mineAll()
  await later
  proxy.lie()
  const more = ['a', 'b', 'c', 'd']
  for (const name of more) await mint(ledger, name)
  expect(harness.countEvents('lost')).toBe(0)
  await expectMinted('undone', 'later', ...more)
})
