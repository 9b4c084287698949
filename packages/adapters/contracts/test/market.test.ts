import { zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf, refusalsOf } from './refusal.ts'

const [creator, buyer, friend] = [party(1), party(2), party(3)]
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
const nowhere = 1_000_000n
const priceLimit = 2n ** 80n - 1n
const owesNothing = [0n, 0n, true, zeroAddress]
const unlisted = [zeroAddress, 0n, 0n, 0n, 0n, ...owesNothing]

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

async function listed(offer?: Parameters<typeof acts.list>[2]): Promise<bigint> {
  const tokenId = await acts.mint(creator)
  await acts.list(creator, tokenId, offer)
  return tokenId
}

describe('list', () => {
  test('sets the terms of a token, and overwrites earlier ones', async () => {
    const { read } = harness.marketplace
    const tokenId = await acts.mint(creator)
    const receipt = await acts.list(creator, tokenId)
    const owed = [royaltyBps, royaltyBps, true, zeroAddress]
    const terms = [creator.address, price, rentPerDay, forkPrice, royaltyBps, ...owed]
    expect(await read.listingOf([tokenId])).toEqual(terms)
    expect(marketEvents(receipt, 'Listed')).toEqual([
      { tokenId, seller: creator.address, ...everyOffer },
    ])
    await acts.list(creator, tokenId, { price: 5n })
    expect(await read.listingOf([tokenId])).toEqual([
      creator.address,
      5n,
      0n,
      0n,
      0n,
      ...owesNothing,
    ])
  })

  test('with all terms zero removes the listing', async () => {
    const tokenId = await listed()
    await acts.list(creator, tokenId, {})
    expect(await harness.marketplace.read.listingOf([tokenId])).toEqual(unlisted)
  })

  test('stores the highest prices without overlap', async () => {
    const highest = {
      price: priceLimit,
      rentPerDay: priceLimit,
      forkPrice: priceLimit,
      royaltyBps: 10_000n,
    }
    const tokenId = await listed(highest)
    const terms = await harness.marketplace.read.listingOf([tokenId])
    const prices = [priceLimit, priceLimit, priceLimit]
    expect(terms).toEqual([
      creator.address,
      ...prices,
      10_000n,
      10_000n,
      10_000n,
      true,
      zeroAddress,
    ])
  })

  test('is refused to everyone but the owner, even to the creator', async () => {
    const { simulate } = harness.marketplace
    const tokenId = await acts.mint(creator, buyer.address)
    const attempt = simulate.list([tokenId, 1n, 0n, 0n, 0n], { account: creator })
    const facts = [tokenId, buyer.address, creator.address]
    expect(await refusalOf(attempt)).toEqual({ name: 'ListingNotOwner', facts })
  })

  test('refuses a price that does not fit and a royalty above the whole', async () => {
    const { simulate } = harness.marketplace
    const tokenId = await acts.mint(creator)
    const high = priceLimit + 1n
    for (const terms of [
      [high, 0n, 0n],
      [0n, high, 0n],
      [0n, 0n, high],
    ] as const) {
      const attempt = simulate.list([tokenId, ...terms, 0n], { account: creator })
      expect(await refusalOf(attempt)).toEqual({
        name: 'ListingPriceTooHigh',
        facts: [high, priceLimit],
      })
    }
    const attempt = simulate.list([tokenId, 1n, 1n, 1n, 10_001n], { account: creator })
    expect(await refusalOf(attempt)).toEqual({
      name: 'RoyaltyShareTooHigh',
      facts: [10_001n, 10_000n],
    })
  })
})

describe('buy', () => {
  test('pays the seller and transfers the token to the recipient', async () => {
    const { client, marketplace, registry, mined } = harness
    const tokenId = await listed()
    const before = await client.getBalance(creator)
    const payment = { account: buyer, value: price }
    const receipt = await mined(marketplace.write.buy([tokenId, friend.address], payment))
    expect(await registry.read.ownerOf([tokenId])).toBe(friend.address)
    expect((await client.getBalance(creator)) - before).toBe(price)
    expect(marketEvents(receipt, 'Sold')).toEqual([
      { tokenId, seller: creator.address, buyer: buyer.address, recipient: friend.address, price },
    ])
  })

  test('clears the listing and its storage', async () => {
    const tokenId = await listed()
    const { gasUsed } = await acts.buy(buyer, tokenId)
    expect(await harness.marketplace.read.listingOf([tokenId])).toEqual(unlisted)
    expect(gasUsed).toBeLessThan(80_000n)
  })

  test('of a token of one’s own is allowed', async () => {
    const tokenId = await listed()
    await acts.buy(creator, tokenId)
    expect(await harness.registry.read.holdingOf([tokenId])).toEqual([creator.address, 1n])
  })

  test('is refused when the token is not for sale or the payment is not the price', async () => {
    const { simulate } = harness.marketplace
    const unsold = await listed({ rentPerDay, forkPrice })
    const attempt = simulate.buy([unsold, buyer.address], { account: buyer })
    expect(await refusalOf(attempt)).toEqual({ name: 'ListingNotForSale', facts: [unsold] })
    const tokenId = await listed()
    for (const value of [0n, price - 1n, price + 1n]) {
      const offer = simulate.buy([tokenId, buyer.address], { account: buyer, value })
      expect(await refusalOf(offer)).toEqual({
        name: 'ListingPriceChanged',
        facts: [tokenId, price, value],
      })
    }
  })
})

test('every function refuses a token that does not exist', async () => {
  const { simulate, read } = harness.marketplace
  const to = buyer.address
  const attempts = [
    simulate.list([nowhere, 1n, 1n, 1n, 1n], { account: creator }),
    simulate.buy([nowhere, to], { account: buyer, value: 1n }),
    simulate.rent([nowhere, to, 1n], { account: buyer, value: 1n }),
    simulate.fork([nowhere, to, 0n], { account: buyer, value: 1n }),
    simulate.payRoyalty([nowhere], { account: buyer, value: 1n }),
    read.listingOf([nowhere]),
    read.royaltySplitOf([nowhere, 1n]),
  ]
  expect(await refusalsOf(attempts)).toEqual(
    attempts.map(() => ({ name: 'TokenNotFound', facts: [nowhere] })),
  )
})

test('every function refuses the zero address and both contracts as recipients', async () => {
  const { registry, marketplace } = harness
  const tokenId = await listed()
  for (const recipient of [zeroAddress, registry.address, marketplace.address]) {
    const attempts = [
      marketplace.simulate.buy([tokenId, recipient], { account: buyer, value: price }),
      marketplace.simulate.rent([tokenId, recipient, 1n], { account: buyer, value: rentPerDay }),
      marketplace.simulate.fork([tokenId, recipient, 10_000n], {
        account: buyer,
        value: forkPrice,
      }),
    ]
    expect(await refusalsOf(attempts)).toEqual(
      attempts.map(() => ({ name: 'RecipientInvalid', facts: [recipient] })),
    )
  }
})
