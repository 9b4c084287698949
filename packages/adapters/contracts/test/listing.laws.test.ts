import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { actsOn, everyOffer } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

const owners = [party(1), party(2), party(3)] as const
const outsider = party(4)
type Owner = (typeof owners)[number]

const anyHop = fc.record({
  to: fc.constantFrom<Owner[]>(...owners),
  way: fc.constantFrom('transferFrom', 'safeTransferFrom', 'buy'),
  relist: fc.boolean(),
})

function transferMethods(harness: ContractHarness) {
  const { registry, mined } = harness
  const { buy, transfer } = actsOn(harness)
  return {
    buy: (_: Owner, to: Owner, tokenId: bigint) => buy(to, tokenId),
    transferFrom: (from: Owner, to: Owner, tokenId: bigint) => transfer(from, tokenId, to.address),
    safeTransferFrom: (from: Owner, to: Owner, tokenId: bigint) => {
      const move = [from.address, to.address, tokenId] as const
      return mined(registry.write.safeTransferFrom(move, { account: from }))
    },
  }
}

/** Tries to use an ended listing in every way; returns the errors. */
function refusalsOf({ marketplace }: ContractHarness, tokenId: bigint) {
  const { price, rentPerDay, forkPrice } = everyOffer
  const by = { account: outsider }
  const attempts = [
    marketplace.simulate.buy([tokenId, outsider.address], { ...by, value: price }),
    marketplace.simulate.rent([tokenId, outsider.address, 1n], { ...by, value: rentPerDay }),
    marketplace.simulate.fork([tokenId, outsider.address, 10_000n], { ...by, value: forkPrice }),
  ]
  return Promise.all(attempts.map(refusalOf))
}

test('any transfer ends a listing for good, even when the token returns', async () => {
  const harness = await openContractHarness()
  const [acts, methods] = [actsOn(harness), transferMethods(harness)]
  await fc.assert(
    fc.asyncProperty(fc.array(anyHop, { minLength: 1, maxLength: 6 }), async (hops) => {
      let owner: Owner = owners[0]
      const tokenId = await acts.mint(owner)
      await acts.list(owner, tokenId)
      for (const { to, way, relist } of hops) {
        if (relist || way === 'buy') await acts.list(owner, tokenId)
        await methods[way](owner, to, tokenId)
        owner = to
        const listing = await harness.marketplace.read.listingOf([tokenId])
        expect(listing).toEqual([zeroAddress, 0n, 0n, 0n, 0n, 0n, 0n, true, zeroAddress])
      }
      const count = BigInt(hops.length)
      expect(await harness.registry.read.holdingOf([tokenId])).toEqual([owner.address, count])
      const names = ['ListingNotForSale', 'ListingNotForRent', 'ListingNotForFork']
      const refusals = await refusalsOf(harness, tokenId)
      expect(refusals).toEqual(names.map((name) => ({ name, facts: [tokenId] })))
    }),
    { numRuns: times(7, 25) },
  )
})

test('a listing reads back as it was set, whatever was there before', async () => {
  const harness = await openContractHarness()
  const acts = actsOn(harness)
  const tokenId = await acts.mint(owners[0])
  const anyPrice = fc.oneof(fc.constant(0n), fc.bigInt(1n, 2n ** 80n - 1n))
  const anyOffer = fc.record({
    price: anyPrice,
    rentPerDay: anyPrice,
    forkPrice: anyPrice,
    royaltyBps: fc.bigInt(0n, 10_000n),
  })
  await fc.assert(
    fc.asyncProperty(anyOffer, async (offer) => {
      await acts.list(owners[0], tokenId, offer)
      const terms = Object.values(offer)
      const seller = terms.every((term) => term === 0n) ? zeroAddress : owners[0].address
      const owed = [offer.royaltyBps, offer.royaltyBps, true, zeroAddress]
      const listing = await harness.marketplace.read.listingOf([tokenId])
      expect(listing).toEqual([seller, ...terms, ...owed])
    }),
    {
      numRuns: times(15, 60),
      examples: [[{ price: 0n, rentPerDay: 0n, forkPrice: 0n, royaltyBps: 0n }]],
    },
  )
})
