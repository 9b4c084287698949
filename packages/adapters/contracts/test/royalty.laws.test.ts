import fc from 'fast-check'
import type { PrivateKeyAccount } from 'viem'
import { expect, test } from 'vitest'
import { openStage, party, type Stage } from '../stage.ts'
import { actsOn } from './acts.ts'

const buyer = party(0)
const makers = Array.from({ length: 11 }, (_, index) => party(index + 1))
const levels = 8

const anyRoyalties = fc.array(fc.oneof(fc.constantFrom(0, 1, 500, 9_999, 10_000), fc.nat(10_000)), {
  maxLength: 10,
})
const anyPrice = fc.oneof(fc.bigInt(1n, 2n ** 80n - 1n), fc.bigInt(1n, 20_000n))
const anyVerb = fc.constantFrom('buy', 'rent', 'fork')

/** What each maker earns, the creator of the root first, by the words of the rule rather than by the code. */
function earnings(price: bigint, royalties: readonly bigint[]): bigint[] {
  const seller = royalties.length
  const earned = Array.from({ length: seller + 1 }, () => 0n)
  let inHand = price
  for (let level = 0; level < Math.min(levels, seller); level += 1) {
    const child = seller - level
    const passedOn = (inHand * (royalties[child - 1] ?? 0n)) / 10_000n
    earned[child] = inHand - passedOn
    inHand = passedOn
  }
  earned[seller - Math.min(levels, seller)] = inHand
  return earned
}

/** Makes a line of forks, each by the next maker, and returns the youngest. */
async function lineOf(stage: Stage, royalties: readonly bigint[], price: bigint): Promise<bigint> {
  const acts = actsOn(stage)
  let tokenId = await acts.mint(maker(0))
  for (const [generation, royaltyBps] of royalties.entries()) {
    await acts.list(maker(generation), tokenId, { forkPrice: 1n, royaltyBps })
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
  buy: (stage: Stage, tokenId: bigint) => actsOn(stage).buy(buyer, tokenId),
  rent: (stage: Stage, tokenId: bigint) => actsOn(stage).rent(buyer, tokenId, 1n),
  fork: (stage: Stage, tokenId: bigint) => actsOn(stage).fork(buyer, tokenId),
}

test('a price is divided among a lineage by its frozen royalties, to the last wei', async () => {
  const stage = await openStage()
  const balances = () => Promise.all(makers.map((account) => stage.client.getBalance(account)))
  await fc.assert(
    fc.asyncProperty(anyRoyalties, anyPrice, anyVerb, async (shares, price, verb) => {
      const royalties = shares.map(BigInt)
      const tokenId = await lineOf(stage, royalties, price)
      const [recipients, amounts, rest] = await stage.marketplace.read.royaltySplitOf([
        tokenId,
        price,
      ])
      const before = await balances()
      await pay[verb](stage, tokenId)
      const after = await balances()
      const paid = after
        .map((balance, index) => balance - (before[index] ?? 0n))
        .slice(0, shares.length + 1)
      expect(paid).toEqual(earnings(price, royalties))
      expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(price)
      expect([rest, ...amounts]).toEqual(paid.toReversed().slice(0, levels + 1))
      const ancestors = makers.slice(0, shares.length).toReversed().slice(0, levels)
      expect(recipients).toEqual(ancestors.map(({ address }) => address))
      expect(await stage.client.getBalance(stage.marketplace)).toBe(0n)
    }),
    { numRuns: 30 },
  )
})

test('a price of any size is divided without loss', async () => {
  const stage = await openStage()
  const tokenId = await lineOf(stage, [10_000n, 3_333n, 9_999n], 1n)
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 2n ** 256n - 1n), async (price) => {
      const [, amounts, rest] = await stage.marketplace.read.royaltySplitOf([tokenId, price])
      expect([rest, ...amounts]).toEqual(earnings(price, [10_000n, 3_333n, 9_999n]).toReversed())
    }),
    { numRuns: 100 },
  )
})

test('the ninth ancestor earns nothing: the eighth keeps all it is passed', async () => {
  const stage = await openStage()
  const whole = Array.from({ length: 10 }, () => 10_000n)
  const tokenId = await lineOf(stage, whole, 1_000n)
  const [recipients, amounts, rest] = await stage.marketplace.read.royaltySplitOf([tokenId, 1_000n])
  expect(recipients.at(-1)).toBe(maker(2).address)
  expect([rest, ...amounts]).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 1_000n])
})
