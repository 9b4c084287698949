import { beforeAll, describe, expect, test } from 'vitest'
import { openContractHarness, party, type ContractHarness } from '../contract-harness.ts'
import { actsOn, marketEvents } from './acts.ts'
import { receiver } from './receivers.ts'
import { fundedMakers, lineOf, type Maker, makerAt, offer } from './royalty-line.ts'

const buyer = party(0)
const price = 10n ** 18n
const tenths = (depth: number) => Array.from({ length: depth }, () => 1_000)
const deepest = 64

let harness: ContractHarness
let makers: readonly Maker[]

beforeAll(async () => {
  harness = await openContractHarness()
  makers = await fundedMakers(harness, 13)
})

/** Makes a line, offers its youngest and returns what each way to pay for it costs in gas. */
async function gasAt(line: readonly Maker[]) {
  const depth = line.length - 1
  const tokenId = await lineOf(harness, line, tenths(depth))
  await offer(harness, { seller: makerAt(line, depth), tokenId, price })
  const { mined, marketplace } = harness
  const payment = { account: buyer, value: price }
  const rent = () => mined(marketplace.write.rent([tokenId, buyer.address, 1n], payment))
  const rented = await rent()
  const renewed = await rent()
  expect(marketEvents(renewed, 'RoyaltyPaid')).toHaveLength(Math.min(depth, 8))
  const forked = await mined(marketplace.write.fork([tokenId, buyer.address, 10_000n], payment))
  const bought = await actsOn(harness).buy(buyer, tokenId)
  return {
    rent: rented.gasUsed,
    renew: renewed.gasUsed,
    fork: forked.gasUsed,
    buy: bought.gasUsed,
  }
}

/** One more licensed fork above is one cold slot, two looks at it and the work around them. */
const stepOfWalk = 2_650n

describe('the gas of a payment', () => {
  test('is bounded at eight claims', async () => {
    // The buyer's first fork costs a slot more, which is not what this is about.
    await gasAt(makers.slice(0, 1))
    const gas = await gasAt(makers.slice(0, 9))
    expect(gas.rent).toBeLessThan(200_000n)
    expect(gas.renew).toBeLessThan(182_000n)
    expect(gas.fork).toBeLessThan(221_000n)
    expect(gas.buy).toBeLessThan(203_000n)
  })

  test('grows beyond by the reads of a longer chain only, which has an end', async () => {
    const eight = await gasAt(makers.slice(0, 9))
    const line = Array.from({ length: deepest }, (_, place) => makerAt(makers, place % 13))
    const last = await gasAt(line)
    const more = BigInt(line.length - 9)
    expect(last.rent - eight.rent).toBeLessThan(more * stepOfWalk)
    expect(last.renew - eight.renew).toBeLessThan(more * stepOfWalk)
    expect(last.buy - eight.buy).toBeLessThan(more * stepOfWalk)
    // A fork walks once more, for the content of its source.
    expect(last.fork - eight.fork).toBeLessThan(more * (stepOfWalk + 300n))
  })

  test.for([
    ['RefusingReceiver', 500_000n],
    ['BombingReceiver', 1_500_000n],
    ['HungryReceiver', 1_500_000n],
  ] as const)('is bounded when everybody in the lineage is a %s', async ([kind, ceiling]) => {
    const line: Maker[] = []
    while (line.length < 9) line.push(await receiver(harness, kind))
    const gas = await gasAt(line)
    for (const used of Object.values(gas)) expect(used).toBeLessThan(ceiling)
    for (const { address } of line) {
      expect(await harness.marketplace.read.creditOf([address])).toBeGreaterThan(0n)
    }
  })
})
