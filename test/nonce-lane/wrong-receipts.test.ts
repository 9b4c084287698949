import { nodePool } from '@heirloom/adapters/internal/nodes'
import type { ViemLedger } from '@heirloom/adapters/ledger'
import { type Idempotency, type TokenId, tokenId, wei } from '@heirloom/core'
import { toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { lieAboutReceipts, type Wrong, wrongs } from '../harness/chain/wrong-receipts.ts'
import { mint, outcomeOf } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

type Write = (ledger: ViemLedger, id: TokenId, key: Idempotency) => Promise<unknown>

const prices = { price: wei(5n), rentalPricePerDay: wei(2n), forkPrice: wei(3n) }

/** Each write that the agent signs. */
const writes: Readonly<Record<string, Write>> = {
  mint: (ledger, _, { key }) => mint(ledger, key, key),
  list: (ledger, id, idempotency) =>
    ledger.list({ tokenId: id, ...prices, price: wei(7n), forkRoyaltyBps: 500, idempotency }),
  buy: (ledger, id, idempotency) =>
    ledger.buy({ tokenId: id, price: wei(5n), recipient: ledger.agent, idempotency }),
  rent: (ledger, id, idempotency) => {
    const terms = { days: 1, price: wei(2n), recipient: ledger.agent, idempotency }
    return ledger.rent({ tokenId: id, ...terms })
  },
  fork: (ledger, id, idempotency) => {
    const terms = { price: wei(3n), maxRoyaltyBps: 10_000, recipient: ledger.agent, idempotency }
    return ledger.fork({ tokenId: id, ...terms })
  },
  payRoyalty: (ledger, id, idempotency) =>
    ledger.payRoyalty({ tokenId: id, amount: wei(1n), idempotency }),
}

let proxy: LyingProxy
beforeEach(async () => {
  proxy = await startLyingProxy(harness.anvil.url)
})
afterEach(() => proxy.close())

const open = (more = {}) => harness.fixture.open({ chain: proxy.url, resendAfter: 50, ...more })

/** Makes a write with a key while receipts are wrong, and expects it once, under its key for ever. */
async function expectOnce(ledger: ViemLedger, write: Write, name: string): Promise<void> {
  const idempotency = { key: name, fingerprint: name }
  const { address } = harness.fixture.wallet
  const before = await harness.fixture.client.getTransactionCount({ address })
  const made = await outcomeOf(write(ledger, tokenId(1n), idempotency))
  proxy.lie()
  expect(made, name).toBeTypeOf('object')
  expect(await write(ledger, tokenId(1n), idempotency), name).toEqual(made)
  expect(await harness.fixture.client.getTransactionCount({ address }), name).toBe(before + 1)
}

/** Makes a write once for each wrong receipt, which the node tells so many times. */
async function expectEachOnce(ledger: ViemLedger, write: Write, times: number): Promise<void> {
  await mint(ledger, 'first')
  for (const [kind, wrong] of Object.entries(wrongs)) {
    // A sale ends the listing that it was made by.
    await ledger.list({ tokenId: tokenId(1n), ...prices, forkRoyaltyBps: 500 })
    const sent = await lieAboutReceipts(proxy, { wrong, times })
    await expectOnce(ledger, write, kind)
    expect(sent.times, kind).toBeGreaterThan(0)
  }
}

describe.each(Object.entries(writes))('%s', (_, write) => {
  test('is made once, whatever a node says of it once', async () => {
    await expectEachOnce(await open(), write, 1)
  })

  test('is made once, whatever one of two nodes always says of it', async () => {
    const honest = await startLyingProxy(harness.anvil.url)
    const nodes = nodePool([proxy.url, honest.url])
    onTestFinished(async () => {
      nodes.close()
      await honest.close()
    })
    await expectEachOnce(await open({ chain: nodes }), write, Number.POSITIVE_INFINITY)
  })
})

test.each<[name: string, wrong: Wrong]>([
  ['a huge price', (truth) => ({ ...truth, effectiveGasPrice: toHex(10n ** 30n) })],
  ['no price', (truth) => ({ ...truth, effectiveGasPrice: undefined })],
  ['more gas than the transaction may use', (truth) => ({ ...truth, gasUsed: toHex(10n ** 30n) })],
  ['no gas', (truth) => ({ ...truth, gasUsed: undefined })],
])('a receipt with %s settles its write at no more than its bytes allow', async (_, wrong) => {
  const perDay = wei(10n ** 17n)
  const ledger = await open({ limits: { perDay } })
  await mint(ledger, 'first')
  await lieAboutReceipts(proxy, { wrong, times: 1 })
  await mint(ledger, 'second')
  expect((await ledger.wallet()).spentToday).toBeLessThan(perDay / 10n)
})

test('a write whose receipt says that it spent no gas counts what it paid', async () => {
  const ledger = await open()
  await mint(ledger, 'first')
  const sent = await lieAboutReceipts(proxy, { wrong: wrongs['no gas spent'] as Wrong, times: 1 })
  await mint(ledger, 'second')
  expect(sent.times).toBe(1)
  expect((await ledger.wallet()).spentToday).toBe(await harness.fixture.amountPaid())
})
