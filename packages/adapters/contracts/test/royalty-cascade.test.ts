import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { actsOn } from './acts.ts'
import { claimsOf, dueOf, largestOf } from './claims.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { receiver } from './receivers.ts'
import { fundedMakers, lineOf, type Maker, makerAt, offer } from './royalty-line.ts'

const buyer = party(0)
const deepest = 12
const highest = 2n ** 80n - 1n

let harness: ContractHarness
let makers: readonly Maker[]

beforeAll(async () => {
  harness = await openContractHarness()
  makers = await fundedMakers(harness, deepest + 1)
})

/** Returns the balance and credit of each maker of a line. */
async function holdings(line: readonly Maker[]): Promise<bigint[]> {
  const held = []
  for (const { address } of line) {
    const balance = await harness.client.getBalance({ address })
    held.push(balance + (await harness.marketplace.read.creditOf([address])))
  }
  return held
}

const verbs = {
  buy: (tokenId: bigint) => actsOn(harness).buy(buyer, tokenId),
  rent: (tokenId: bigint) => actsOn(harness).rent(buyer, tokenId, 1n),
  fork: (tokenId: bigint) => actsOn(harness).fork(buyer, tokenId),
}

/** Compares every view of the royalties of a token with the rule. */
async function expectViews(
  line: readonly Maker[],
  royalties: readonly number[],
  { tokenId, price }: { readonly tokenId: bigint; readonly price: bigint },
): Promise<void> {
  const { registry, marketplace } = harness
  const [claims, due] = [claimsOf(royalties), dueOf(royalties, price)]
  const recipients = claims.map(({ generation }) => makerAt(line, generation).address)
  const amounts = claims.map(({ generation }) => due[generation])
  const split = await marketplace.read.royaltySplitOf([tokenId, price])
  expect(split).toEqual([recipients, amounts, due[royalties.length]])
  const bps = claims.map((claim) => BigInt(claim.bps))
  expect(await registry.read.getRoyalties([tokenId])).toEqual([recipients, bps])
  const lineage = await registry.read.royaltyLineageOf([tokenId])
  const root = tokenId - BigInt(royalties.length)
  const holders = claims.map(({ generation }) => root + BigInt(generation))
  expect(lineage.map((claim) => claim.tokenId)).toEqual(holders)
  expect(lineage.map((claim) => [claim.creator, claim.royaltyBps])).toEqual(
    recipients.map((recipient, index) => [recipient, bps[index]]),
  )
  const largest = largestOf(claims)
  const named = largest && [makerAt(line, largest.generation).address, due[largest.generation]]
  const info = await registry.read.royaltyInfo([tokenId, price])
  expect(info).toEqual(named ?? [zeroAddress, 0n])
}

async function expectSplit(
  line: readonly Maker[],
  royalties: readonly number[],
  sale: { readonly tokenId: bigint; readonly price: bigint; readonly verb: keyof typeof verbs },
): Promise<void> {
  const { tokenId, price, verb } = sale
  await expectViews(line, royalties, sale)
  await offer(harness, { seller: makerAt(line, royalties.length), tokenId, price })
  const before = await holdings(line)
  await verbs[verb](tokenId)
  const after = await holdings(line)
  const paid = after.map((held, index) => held - (before[index] ?? 0n))
  expect(paid).toEqual(dueOf(royalties, price))
  expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(price)
}

const prices = [1n, 3n, 9_999n, 10_001n, highest]

/** Returns the prices of a depth, which begin with another one at the next depth, so that each occurs. */
const pricesAt = (depth: number) =>
  [...prices.slice(depth % prices.length), ...prices].slice(0, times(2, 5))
const extremes = [0, 1, 1_000, 9_999, 10_000] as const
const depths = Array.from({ length: deepest + 1 }, (_, depth) => depth)
const anyOddPrice = fc.bigInt(0n, (highest - 1n) / 2n).map((half) => 2n * half + 1n)
const anyShare = fc.oneof(fc.constantFrom(...extremes), fc.nat(2_000), fc.nat(10_000))

describe.for(depths)('a fork %i generations from its root', (depth) => {
  const line = () => makers.slice(0, depth + 1)

  test.for(extremes)('divides every price when all royalties are %i bps', async (royaltyBps) => {
    const royalties = Array.from({ length: depth }, () => royaltyBps)
    const tokenId = await lineOf(harness, line(), royalties)
    for (const price of pricesAt(depth)) {
      await expectSplit(line(), royalties, { tokenId, price, verb: 'rent' })
    }
    await expectSplit(line(), royalties, { tokenId, price: highest, verb: 'fork' })
    await expectSplit(line(), royalties, { tokenId, price: highest, verb: 'buy' })
  })

  test('divides any odd price under any royalties', async () => {
    const shares = fc.array(anyShare, { minLength: depth, maxLength: depth })
    const prices = fc.array(anyOddPrice, { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(shares, prices, async (royalties, [one = 1n, two = 1n, three = 1n]) => {
        const tokenId = await lineOf(harness, line(), royalties)
        await expectSplit(line(), royalties, { tokenId, price: one, verb: 'rent' })
        await expectSplit(line(), royalties, { tokenId, price: two, verb: 'fork' })
        await expectSplit(line(), royalties, { tokenId, price: three, verb: 'buy' })
      }),
      { numRuns: 3 },
    )
  })
})

test('creators who reject payments are credited their shares, and nothing is lost', async () => {
  const contracts = new Map<number, Maker>()
  for (const generation of [0, 2, 3, 5, 7, 8]) {
    contracts.set(generation, await receiver(harness, 'RefusingReceiver'))
  }
  const line = makers.slice(0, 10).map((maker, generation) => contracts.get(generation) ?? maker)
  const royalties = [5_000, 10_000, 9_999, 3_333, 1, 7_777, 10_000, 8_000, 6_001]
  const tokenId = await lineOf(harness, line, royalties)
  for (const price of [1n, 12_345n, highest]) {
    for (const verb of ['rent', 'fork'] as const) {
      await expectSplit(line, royalties, { tokenId, price, verb })
    }
  }
  await expectSplit(line, royalties, { tokenId, price: highest - 2n, verb: 'buy' })
  const credits = []
  for (const { address } of contracts.values()) {
    expect(await harness.client.getBalance({ address })).toBe(0n)
    credits.push(await harness.marketplace.read.creditOf([address]))
  }
  const owed = credits.reduce((sum, credit) => sum + credit, 0n)
  expect(owed).toBeGreaterThan(0n)
  expect(await harness.client.getBalance(harness.marketplace)).toBe(owed)
})
