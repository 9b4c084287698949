import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Budget, type Hex, wei } from '@heirloom/core'
import { toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import {
  content,
  mint,
  openLaneFixture,
  outcomeOf,
  until,
} from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

describe('a sent transaction', () => {
  test('is sent again when the node forgets it', async () => {
    const ledger = await harness.fixture.open()
    await harness.chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => harness.countEvents('signed') === 1)
    await harness.chain.dropTransaction({ hash: await waitForPending() })
    await until(() => harness.countEvents('resent') > 0)
    await harness.chain.setAutomine(true)
    await harness.chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(1n)
    await expectBalanced(harness.fixture, ['a'])
  })

  test('is sent again to a node that restarts without its unmined transactions', async () => {
    const state = join(mkdtempSync(join(tmpdir(), 'anvil-')), 'state.json')
    const first = await startAnvil({ state })
    const fixture = await openLaneFixture(first)
    const ledger = await fixture.open()
    await mint(ledger, 'mined')
    await testClient(first).setAutomine(false)
    const minted = mint(ledger, 'forgotten')
    await until(() => fixture.events.filter(({ kind }) => kind === 'signed').length === 2)
    await first.stop()
    const second = await startAnvil({ state, port: Number(first.url.port) })
    expect((await minted).tokenId).toBe(2n)
    expect(await fixture.mintedHashes()).toEqual([content('mined'), content('forgotten')])
    await fixture.close()
    await second.stop()
    rmSync(dirname(state), { recursive: true })
  })

  test('is replaced at a higher price when it is stuck, and executed once', async () => {
    const ledger = await harness.fixture.open({ stuckAfter: 0 })
    await mint(ledger, 'first')
    await harness.chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => harness.countEvents('signed') === 2)
    const hash = await waitForPending()
    const { maxFeePerGas = 0n } = await harness.fixture.client.getTransaction({ hash })
    await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas + 1n })
    await harness.chain.mine({ blocks: 1 })
    await until(() => harness.countEvents('replaced') > 0)
    await harness.chain.setAutomine(true)
    while (harness.countEvents('settled') < 2) await harness.chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(2n)
    await expectBalanced(harness.fixture, ['first', 'a'])
  })

  test('is not replaced at more than 16 times its first price', async () => {
    const ledger = await harness.fixture.open({ stuckAfter: 0 })
    expect((await mintUnreplaced(ledger, { nth: 1, times: 17n })).tokenId).toBe(1n)
    await expectBalanced(harness.fixture, ['a'])
  })

  test.each([
    'the day limit of the wallet',
    'the day limit of its API key',
    'the call limit of its API key',
  ])('is not replaced at a price that could exceed %s', async (which) => {
    const probe = await harness.fixture.open()
    await mint(probe, 'probe')
    await probe.close()
    const { spentToday } = await probe.wallet()
    const [perDay, perCall] = [wei(spentToday * 3n), wei(spentToday * 2n)]
    const limits = which.endsWith('wallet') ? { perDay } : undefined
    const ledger = await harness.fixture.open({ stuckAfter: 0, ...(limits && { limits }) })
    const ofKey = which.startsWith('the day') ? { perDay } : { perCall }
    const budget = limits ? undefined : { name: 'shop', ...ofKey }
    await mintUnreplaced(ledger, { nth: 2, times: 4n, budget })
    expect((await ledger.wallet()).spentToday).toBeLessThanOrEqual(perDay)
    await expectBalanced(harness.fixture, ['probe', 'a'])
  })

  test('is cancelled when it is not mined in time, which fails the write', async () => {
    const ledger = await harness.fixture.open({ stuckAfter: 0, cancelAfter: 0 })
    await harness.chain.setAutomine(false)
    const minted = outcomeOf(mint(ledger, 'a', 'key'))
    await until(() => harness.countEvents('signed') === 1)
    await harness.chain.dropTransaction({ hash: await waitForPending() })
    await harness.chain.mine({ blocks: 1 })
    while (harness.countEvents('settled') < 1) await harness.chain.mine({ blocks: 1 })
    const outcome = await minted
    await harness.chain.setAutomine(true)
    if (typeof outcome === 'object') return expectBalanced(harness.fixture, ['a'])
    expect(outcome).toBe('transaction/cancelled')
    expect((await mint(ledger, 'a', 'key')).tokenId).toBe(1n)
    await expectBalanced(harness.fixture, ['a'])
  })

  test('is signed again with the next nonce when another transaction used its nonce', async () => {
    const ledger = await harness.fixture.open()
    await mint(ledger, 'first')
    await harness.chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => harness.countEvents('signed') === 2)
    await replaceByTransfer()
    await harness.chain.setAutomine(true)
    await harness.chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(2n)
    expect(harness.countEvents('lost')).toBe(1)
    expect((await harness.fixture.mintedHashes()).toSorted()).toEqual(
      [content('first'), content('a')].toSorted(),
    )
  })

  test('is confirmed by a node that lacks a block it had', async () => {
    let missing: unknown
    type Request = { readonly method: string; readonly params?: unknown }
    const send = async (request: Request) => {
      const [number] = Array.isArray(request.params) ? request.params : []
      if (request.method === 'eth_getBlockByNumber' && number === missing) return null
      return harness.fixture.client.request(request as never) as Promise<unknown>
    }
    const ledger = await harness.fixture.open({ chain: { request: send }, reorgDepth: 64 })
    await mint(ledger, 'a')
    missing = toHex(await harness.fixture.client.getBlockNumber())
    await harness.chain.mine({ blocks: 3 })
    await mint(ledger, 'b')
    await expectBalanced(harness.fixture, ['a', 'b'])
  })

  for (const depth of [1, 2, 3, 4, 5]) {
    test(`is mined again after a reorganisation of ${depth} blocks`, async () => {
      const ledger = await harness.fixture.open({ reorgDepth: 64 })
      const names = Array.from({ length: depth }, (_, index) => index)
      for (const name of names) await mint(ledger, name)
      await harness.chain.reorganise(depth)
      await until(async () => (await harness.fixture.mintedHashes()).length === depth)
      await until(async () => (await countSettledSlots()) === depth)
      await expectBalanced(harness.fixture, names)
      expect(harness.countEvents('reorganised')).toBeGreaterThan(0)
    })
  }
})

async function countSettledSlots(): Promise<number> {
  const slots = await harness.fixture.store.db.selectFrom('slot').select('state').execute()
  return slots.filter(({ state }) => state === 'settled').length
}

/** Waits until the node has an unmined transaction, and returns its hash. */
async function waitForPending(): Promise<Hex> {
  let hash: Hex | undefined
  await until(async () => {
    const { transactions } = await harness.fixture.client.getBlock({ blockTag: 'pending' })
    hash = transactions[0]
    return hash !== undefined
  })
  return hash as Hex
}

type Outbid = {
  readonly nth: number
  readonly times: bigint
  readonly budget?: Budget | undefined
}

/**
 * Makes the wallet's nth write while the base fee is `times` the price of the transaction, expects
 * that it is not replaced, and lets it be mined.
 */
async function mintUnreplaced(ledger: Parameters<typeof mint>[0], { nth, times, budget }: Outbid) {
  await harness.chain.setAutomine(false)
  const minted = ledger.mint({
    contentHash: content('a'),
    digest: content('a') as never,
    parent: undefined,
    recipient: ledger.agent,
    budget,
  })
  await until(() => harness.countEvents('signed') === nth)
  const hash = await waitForPending()
  const { maxFeePerGas = 0n } = await harness.fixture.client.getTransaction({ hash })
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * times })
  await harness.chain.mine({ blocks: 1 })
  await until(() => harness.countEvents('resent') > 1)
  expect(harness.countEvents('replaced')).toBe(0)
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas / 2n })
  while (harness.countEvents('settled') < nth) await harness.chain.mine({ blocks: 1 })
  return minted
}

/** Replaces the wallet's pending transaction by a transfer at a much higher price. */
async function replaceByTransfer(): Promise<void> {
  const { client, wallet } = harness.fixture
  const { address } = wallet
  const nonce = await client.getTransactionCount({ address })
  const fees = await client.estimateFeesPerGas()
  const serializedTransaction = await wallet.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    to: address,
    nonce,
    gas: 21_000n,
    maxFeePerGas: fees.maxFeePerGas * 20n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas * 20n,
  })
  await client.sendRawTransaction({ serializedTransaction })
}
