import { beforeAll, describe, expect, test } from 'vitest'
import { openStage, party, type Stage } from '../stage.ts'
import { actsOn, marketEvents } from './acts.ts'
import { receiver } from './receivers.ts'
import { fundedMakers, lineOf, type Maker, makerAt, offer } from './royalty-line.ts'

const buyer = party(0)
const price = 10n ** 18n
const half = (depth: number) => Array.from({ length: depth }, () => 5_000)

let stage: Stage
let makers: readonly Maker[]

beforeAll(async () => {
  stage = await openStage()
  makers = await fundedMakers(stage, 13)
})

/** Makes a line, offers its youngest and returns what each way to pay for it costs in gas. */
async function gasAt(line: readonly Maker[]) {
  const depth = line.length - 1
  const tokenId = await lineOf(stage, line, half(depth))
  await offer(stage, { seller: makerAt(line, depth), tokenId, price })
  const { mined, marketplace } = stage
  const payment = { account: buyer, value: price }
  const rent = () => mined(marketplace.write.rent([tokenId, buyer.address, 1n], payment))
  const rented = await rent()
  const renewed = await rent()
  expect(marketEvents(renewed, 'RoyaltyPaid')).toHaveLength(Math.min(depth, 8))
  const forked = await mined(marketplace.write.fork([tokenId, buyer.address, 0n], payment))
  const bought = await actsOn(stage).buy(buyer, tokenId)
  return {
    rent: rented.gasUsed,
    renew: renewed.gasUsed,
    fork: forked.gasUsed,
    buy: bought.gasUsed,
  }
}

/** What it costs to find that a lineage goes on, and is cut. */
const cut = 100n

/** Reading one more ancestor is one cold slot and the work around it. */
const stepOfWalk = 2_400n

describe('the gas of a payment', () => {
  test('is bounded at eight generations', async () => {
    // The buyer's first fork costs a slot more, which is not what this is about.
    await gasAt(makers.slice(0, 1))
    const gas = await gasAt(makers.slice(0, 9))
    expect(gas.rent).toBeLessThan(200_000n)
    expect(gas.renew).toBeLessThan(182_000n)
    expect(gas.fork).toBeLessThan(221_000n)
    expect(gas.buy).toBeLessThan(203_000n)
  })

  test('does not grow beyond, but that a fork reads on to the root', async () => {
    const eight = await gasAt(makers.slice(0, 9))
    const twelve = await gasAt(makers)
    expect(twelve.rent).toBeLessThan(eight.rent + cut)
    expect(twelve.renew).toBeLessThan(eight.renew + cut)
    expect(twelve.buy).toBeLessThan(eight.buy + cut)
    expect(twelve.fork - eight.fork).toBeLessThan(4n * stepOfWalk)
  })

  test.for([
    ['RefusingReceiver', 500_000n],
    ['BombingReceiver', 1_500_000n],
    ['HungryReceiver', 1_500_000n],
  ] as const)('is bounded when everybody in the lineage is a %s', async ([kind, ceiling]) => {
    const line: Maker[] = []
    while (line.length < 9) line.push(await receiver(stage, kind))
    const gas = await gasAt(line)
    for (const used of Object.values(gas)) expect(used).toBeLessThan(ceiling)
    for (const { address } of line) {
      expect(await stage.marketplace.read.creditOf([address])).toBeGreaterThan(0n)
    }
  })
})
