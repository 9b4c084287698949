import { nodePool } from '@heirloom/adapters/internal/nodes'
import type { ViemLedger } from '@heirloom/adapters/ledger'
import { type Idempotency, type TokenId, tokenId, wei } from '@heirloom/core'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Lie, type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { mint, outcomeOf } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

type Receipt = {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly logs: readonly { readonly transactionHash: Hex }[]
}

const noBloom = `0x${'00'.repeat(256)}`

/** What a node says of a transaction that it mined, from the truth and the receipt of an earlier one. */
const wrongs: Readonly<Record<string, (truth: Receipt, earlier: Receipt) => unknown>> = {
  'no events beside their bloom': (truth) => ({ ...truth, logs: [] }),
  'no events and no bloom': (truth) => ({ ...truth, logs: [], logsBloom: noBloom }),
  'a failure': (truth) => ({ ...truth, status: '0x0' }),
  'a failure without events beside their bloom': (truth) => ({ ...truth, status: '0x0', logs: [] }),
  'a failure without events or bloom': (truth) => ({
    ...{ ...truth, status: '0x0', logs: [], logsBloom: noBloom },
  }),
  'the events of another': (truth, { logs }) => ({ ...truth, logs }),
  'the events and the bloom of another': (truth, earlier) => ({ ...truth, ...eventsOf(earlier) }),
  'the events of another, as if of this one': (truth, earlier) => {
    const { transactionHash, blockHash } = truth
    const { logs, ...bloom } = eventsOf(earlier)
    const renamed = logs.map((log) => ({ ...log, transactionHash, blockHash }))
    return { ...truth, ...bloom, logs: renamed }
  },
  'the receipt of another': (_, earlier) => earlier,
  'a block that the chain does not have': (truth) => {
    const blockHash = `0x${'ab'.repeat(32)}`
    return { ...truth, blockHash, logs: truth.logs.map((log) => ({ ...log, blockHash })) }
  },
  'neither success nor failure': ({ ...truth }) => ({ ...truth, status: null }),
  'an empty object': () => ({}),
}

const eventsOf = ({ logs, ...receipt }: Receipt) => {
  const { logsBloom } = receipt as { readonly logsBloom?: Hex }
  return { logs, logsBloom }
}

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

/** Lets a node tell a wrong receipt of every new transaction, so many times; returns the count. */
async function lieAboutReceipts(wrong: (typeof wrongs)[string], times: number) {
  const { client } = harness.fixture
  const { transactions } = await client.getBlock()
  const [hash = '0x'] = transactions
  const earlier = (await client.request({
    ...{ method: 'eth_getTransactionReceipt', params: [hash] },
  })) as unknown as Receipt
  const told = { times: 0 }
  const lie: Lie = ({ method, params: [of] }, truth) => {
    if (method !== 'eth_getTransactionReceipt' || truth === null) return truth
    if (of === hash || told.times >= times) return truth
    told.times += 1
    return wrong(truth, earlier)
  }
  proxy.lie(lie)
  return told
}

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
    const told = await lieAboutReceipts(wrong, times)
    await expectOnce(ledger, write, kind)
    expect(told.times, kind).toBeGreaterThan(0)
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
