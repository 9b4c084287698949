import { beforeAll, describe, expect, test } from 'vitest'
import { actsOn, marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
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

/** Creates a line, lists its youngest, and returns the gas of each payment for it. */
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
  const simulateFork = await mined(
    marketplace.write.fork([tokenId, buyer.address, 10_000n], payment),
  )
  const bought = await actsOn(harness).buy(buyer, tokenId)
  return {
    rent: rented.gasUsed,
    renew: renewed.gasUsed,
    fork: simulateFork.gasUsed,
    buy: bought.gasUsed,
  }
}

/** The gas for each licensed fork above: one cold slot that is read twice, and the loop. */
const gasPerGeneration = 2_650n

describe('the gas of a payment', () => {
  test('is bounded at eight claims', async () => {
    // The buyer's first fork writes one more slot, so it is excluded.
    await gasAt(makers.slice(0, 1))
    const gas = await gasAt(makers.slice(0, 9))
    expect(gas.rent).toBeLessThan(200_000n)
    expect(gas.renew).toBeLessThan(182_000n)
    expect(gas.fork).toBeLessThan(221_000n)
    expect(gas.buy).toBeLessThan(203_000n)
  })

  test('grows beyond that only by the reads of a longer chain, which is bounded', async () => {
    const eight = await gasAt(makers.slice(0, 9))
    const line = Array.from({ length: deepest }, (_, generation) =>
      makerAt(makers, generation % 13),
    )
    const last = await gasAt(line)
    const more = BigInt(line.length - 9)
    expect(last.rent - eight.rent).toBeLessThan(more * gasPerGeneration)
    expect(last.renew - eight.renew).toBeLessThan(more * gasPerGeneration)
    expect(last.buy - eight.buy).toBeLessThan(more * gasPerGeneration)
    // A fork walks the chain once more, for the content of its source.
    expect(last.fork - eight.fork).toBeLessThan(more * (gasPerGeneration + 300n))
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
