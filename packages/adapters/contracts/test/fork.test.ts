import { zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

const [creator, buyer, friend] = [party(1), party(2), party(3)]
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
const nowhere = 1_000_000n

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

describe('fork', () => {
  test('makes the caller the creator and the recipient the owner, and freezes the royalty', async () => {
    const { client, marketplace, registry, mined } = harness
    const parent = await listed()
    const before = await client.getBalance(creator)
    const payment = { account: buyer, value: forkPrice }
    const receipt = await mined(
      marketplace.write.fork([parent, friend.address, royaltyBps], payment),
    )
    const tokenId = await registry.read.totalSupply()
    expect((await client.getBalance(creator)) - before).toBe(forkPrice)
    expect(marketEvents(receipt, 'Forked')).toEqual([
      {
        parent,
        tokenId,
        forker: buyer.address,
        recipient: friend.address,
        royaltyBps,
        price: forkPrice,
      },
    ])
    expect(await registry.read.ownerOf([tokenId])).toBe(friend.address)
    expect(await registry.read.creatorOf([tokenId])).toBe(buyer.address)
    await acts.list(creator, parent, { ...everyOffer, royaltyBps: 9_999n })
    expect((await registry.read.recordOf([tokenId]))[3]).toBe(royaltyBps + 1n)
    expect(await registry.read.royaltyInfo([tokenId, 10_001n])).toEqual([creator.address, 500n])
  })

  test('does not change the listing of the parent', async () => {
    const parent = await listed()
    await acts.fork(buyer, parent)
    await acts.fork(creator, parent)
    expect((await harness.marketplace.read.listingOf([parent]))[3]).toBe(forkPrice)
  })

  test('is refused when not offered, mispaid, or owing more than the caller accepts', async () => {
    const { simulate } = harness.marketplace
    const closed = await listed({ price, rentPerDay })
    const attempt = simulate.fork([closed, buyer.address, 10_000n], { account: buyer })
    expect(await refusalOf(attempt)).toEqual({ name: 'ListingNotForFork', facts: [closed] })
    const parent = await listed()
    const mispaid = simulate.fork([parent, buyer.address, 10_000n], { account: buyer, value: 99n })
    expect(await refusalOf(mispaid)).toEqual({
      name: 'ListingPriceChanged',
      facts: [parent, forkPrice, 99n],
    })
    const dear = simulate.fork([parent, buyer.address, 499n], { account: buyer, value: forkPrice })
    expect(await refusalOf(dear)).toEqual({
      name: 'ListingRoyaltyChanged',
      facts: [parent, royaltyBps, 499n],
    })
  })
})

describe('royalty', () => {
  test('of a sale is paid for each claim, the oldest first, with an event for each', async () => {
    const root = await listed()
    const child = await acts.fork(buyer, root)
    await acts.list(buyer, child)
    const grandchild = await acts.fork(friend, child)
    await acts.list(friend, grandchild)
    const receipt = await acts.buy(creator, grandchild)
    const from = creator.address
    expect(marketEvents(receipt, 'RoyaltyPaid')).toEqual([
      { tokenId: root, to: creator.address, from, amount: 50n },
      { tokenId: child, to: buyer.address, from, amount: 50n },
    ])
  })

  test('of zero wei is not paid', async () => {
    const root = await listed({ forkPrice, royaltyBps: 1n })
    const child = await acts.fork(buyer, root)
    await acts.list(buyer, child)
    const receipt = await acts.buy(friend, child)
    expect(marketEvents(receipt, 'RoyaltyPaid')).toEqual([])
  })

  test('pays the creator of a token, not its owner', async () => {
    const { client, marketplace, mined } = harness
    const tokenId = await acts.mint(creator, friend.address)
    const before = await client.getBalance(creator)
    const receipt = await mined(
      marketplace.write.payRoyalty([tokenId], { account: buyer, value: 77n }),
    )
    expect((await client.getBalance(creator)) - before).toBe(77n)
    const paid = { tokenId, to: creator.address, from: buyer.address, amount: 77n }
    expect(marketEvents(receipt, 'RoyaltyPaid')).toEqual([paid])
  })

  test('payment of zero is refused', async () => {
    const tokenId = await acts.mint(creator)
    const attempt = harness.marketplace.simulate.payRoyalty([tokenId], { account: buyer })
    expect(await refusalOf(attempt)).toEqual({ name: 'RoyaltyZero', facts: [] })
  })

  test('of a sale elsewhere is due for a licensed fork only', async () => {
    const { read } = harness.registry
    const root = await acts.mint(creator)
    const declared = await acts.mint(buyer, buyer.address, root)
    for (const tokenId of [0n, root, declared, nowhere]) {
      expect(await read.royaltyInfo([tokenId, 1_000n])).toEqual([zeroAddress, 0n])
    }
    await acts.list(creator, root, { ...everyOffer, royaltyBps: 10_000n })
    const fork = await acts.fork(buyer, root)
    const whole = 2n ** 256n - 1n
    expect(await read.royaltyInfo([fork, whole])).toEqual([creator.address, whole])
  })
})
