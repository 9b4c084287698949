import fc from 'fast-check'
import type { PrivateKeyAccount } from 'viem'
import { expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { actsOn } from './acts.ts'
import { claimsOf, dueOf } from './claims.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

const buyer = party(0)
const makers = Array.from({ length: 11 }, (_, index) => party(index + 1))

const anyRoyalties = fc.array(fc.oneof(fc.constantFrom(0, 1, 500, 9_999, 10_000), fc.nat(10_000)), {
  maxLength: 10,
})
const anyPrice = fc.oneof(fc.bigInt(1n, 2n ** 80n - 1n), fc.bigInt(1n, 20_000n))
const anyVerb = fc.constantFrom('buy', 'rent', 'fork')

/** Creates a line of forks, each by the next maker, and returns the youngest. */
async function lineOf(
  harness: ContractHarness,
  royalties: readonly number[],
  price: bigint,
): Promise<bigint> {
  const acts = actsOn(harness)
  let tokenId = await acts.mint(maker(0))
  for (const [generation, royaltyBps] of royalties.entries()) {
    await acts.list(maker(generation), tokenId, { forkPrice: 1n, royaltyBps: BigInt(royaltyBps) })
    tokenId = await acts.fork(maker(generation + 1), tokenId)
  }
  await acts.list(maker(royalties.length), tokenId, { price, rentPerDay: price, forkPrice: price })
  return tokenId
}

function maker(generation: number): PrivateKeyAccount {
  const account = makers[generation]
  if (!account) throw new Error(`There is no maker ${generation}.`)
  return account
}

const pay = {
  buy: (harness: ContractHarness, tokenId: bigint) => actsOn(harness).buy(buyer, tokenId),
  rent: (harness: ContractHarness, tokenId: bigint) => actsOn(harness).rent(buyer, tokenId, 1n),
  fork: (harness: ContractHarness, tokenId: bigint) => actsOn(harness).fork(buyer, tokenId),
}

test('a price is split over a lineage by its frozen royalties, to the last wei', async () => {
  const harness = await openContractHarness()
  const balances = () => Promise.all(makers.map((account) => harness.client.getBalance(account)))
  await fc.assert(
    fc.asyncProperty(anyRoyalties, anyPrice, anyVerb, async (shares, price, verb) => {
      const tokenId = await lineOf(harness, shares, price)
      const [recipients, amounts, rest] = await harness.marketplace.read.royaltySplitOf([
        tokenId,
        price,
      ])
      const before = await balances()
      await pay[verb](harness, tokenId)
      const after = await balances()
      const paid = after
        .map((balance, index) => balance - (before[index] ?? 0n))
        .slice(0, shares.length + 1)
      expect(paid).toEqual(dueOf(shares, price))
      expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(price)
      const claims = claimsOf(shares)
      expect(amounts).toEqual(claims.map(({ generation }) => paid[generation]))
      expect(rest).toBe(paid.at(-1))
      expect(recipients).toEqual(claims.map(({ generation }) => maker(generation).address))
      expect(await harness.client.getBalance(harness.marketplace)).toBe(0n)
    }),
    { numRuns: times(8, 30) },
  )
})

test('a price of any size is split without loss', async () => {
  const harness = await openContractHarness()
  const royalties = [3_333, 1, 6_665]
  const tokenId = await lineOf(harness, royalties, 1n)
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 2n ** 256n - 1n), async (price) => {
      const [, amounts, rest] = await harness.marketplace.read.royaltySplitOf([tokenId, price])
      expect([...amounts, rest]).toEqual(dueOf(royalties, price))
    }),
    { numRuns: times(25, 100), examples: [[2n ** 256n - 1n]] },
  )
})

test('there is no ninth claim: the eight oldest count', async () => {
  const harness = await openContractHarness()
  const tokenId = await lineOf(harness, [100, 0, 100, 100, 100, 100, 100, 100, 100, 9_000], 1n)
  const [recipients, amounts, rest] = await harness.marketplace.read.royaltySplitOf([
    tokenId,
    1_000n,
  ])
  const holders = [0, 2, 3, 4, 5, 6, 7, 8].map((generation) => maker(generation).address)
  expect([recipients, amounts, rest]).toEqual([holders, holders.map(() => 10n), 920n])
})

test('a fork of a lineage that owes everything owes no more, and its seller gets nothing', async () => {
  const harness = await openContractHarness()
  const tokenId = await lineOf(harness, [9_999, 10_000, 10_000], 1n)
  const split = await harness.marketplace.read.royaltySplitOf([tokenId, 10_000n])
  expect(split).toEqual([[maker(0).address, maker(1).address], [9_999n, 1n], 0n])
})

test('a fork requires that its caller accepts the sum of the royalties', async () => {
  const harness = await openContractHarness()
  const acts = actsOn(harness)
  const child = await lineOf(harness, [2_500], 1n)
  await acts.list(maker(1), child, { forkPrice: 1n, royaltyBps: 9_000n })
  const { read, simulate } = harness.marketplace
  expect((await read.listingOf([child])).slice(4, 8)).toEqual([9_000n, 7_500n, 10_000n, true])
  const offer = { account: buyer, value: 1n }
  const attempt = simulate.fork([child, buyer.address, 9_999n], offer)
  const facts = [child, 10_000n, 9_999n]
  expect(await refusalOf(attempt)).toEqual({ name: 'ListingRoyaltyChanged', facts })
  await simulate.fork([child, buyer.address, 10_000n], offer)
})
