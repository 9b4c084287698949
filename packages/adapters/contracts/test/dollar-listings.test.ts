import { type Abi, encodeFunctionData, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { memoryMarketplaceBytecode } from '../../src/ledger/deployment/creation.generated.ts'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { act, ordersOn, unsigned } from './orders.ts'
import { receiver } from './receivers.ts'
import { refusalOf, refusalsOf } from './refusal.ts'

const [creator, payer, friend, operator] = [party(1), party(2), party(3), party(4)]
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
const prices = [price, rentPerDay, forkPrice, royaltyBps] as const

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>
let orders: ReturnType<typeof ordersOn>

beforeAll(async () => {
  harness = await openContractHarness()
  ;[acts, orders] = [actsOn(harness), ordersOn(harness)]
  await orders.give(payer.address, 1_000_000n)
})

const listingOf = (tokenId: bigint) => harness.marketplace.read.listingOf([tokenId])

describe('a listing in dollars', () => {
  test('has the dollar as its asset, in the view and in its event', async () => {
    const tokenId = await acts.mint(creator)
    const receipt = await harness.mined(
      harness.marketplace.write.listInDollars([tokenId, ...prices], { account: creator }),
    )
    const asset = harness.dollar.address
    const owed = [royaltyBps, royaltyBps, true, asset]
    expect(await listingOf(tokenId)).toEqual([creator.address, ...prices, ...owed])
    expect(marketEvents(receipt, 'ListedInDollars')).toEqual([
      { tokenId, seller: creator.address, asset, ...everyOffer },
    ])
    expect(marketEvents(receipt, 'Listed')).toEqual([])
    await acts.list(creator, tokenId)
    expect((await listingOf(tokenId))[8]).toBe(zeroAddress)
  })

  test.for([
    [{ price: 1n }, true],
    [{ rentPerDay: 1n }, true],
    [{ forkPrice: 1n }, true],
    [{ royaltyBps: 5n }, false],
    [{}, false],
  ] as const)('of %o is in dollars: %s', async ([offer, isInDollars]) => {
    const tokenId = await orders.listed(creator, offer)
    const {
      price: sale = 0n,
      rentPerDay: rent = 0n,
      forkPrice: fork = 0n,
    } = { ...offer } as {
      readonly [name: string]: bigint
    }
    const [seller, ...terms] = await listingOf(tokenId)
    expect(terms.slice(0, 3)).toEqual([sale, rent, fork])
    expect(seller).toBe(Object.keys(offer).length > 0 ? creator.address : zeroAddress)
    expect(terms[7]).toBe(isInDollars ? harness.dollar.address : zeroAddress)
  })

  test('without a price is announced in native coins, as it is stored', async () => {
    const tokenId = await orders.listed(creator)
    const receipt = await harness.mined(
      harness.marketplace.write.listInDollars([tokenId, 0n, 0n, 0n, 0n], { account: creator }),
    )
    expect(marketEvents(receipt, 'ListedInDollars')).toEqual([])
    expect(marketEvents(receipt, 'Listed')).toHaveLength(1)
  })

  test('needs a pair that has a dollar', async () => {
    const code = { abi: memoryMarketplaceAbi, bytecode: memoryMarketplaceBytecode }
    const address = await harness.deploy(code, [zeroAddress])
    const pair = { address, abi: memoryMarketplaceAbi, account: creator } as const
    const offer = { tokenId: 1n, ...everyOffer, inDollars: true }
    const { client } = harness
    const attempts = [
      client.simulateContract({ ...pair, functionName: 'listInDollars', args: [1n, ...prices] }),
      client.simulateContract({ ...pair, functionName: 'listMany', args: [[offer]] }),
    ]
    expect(await refusalsOf(attempts)).toEqual(
      attempts.map(() => ({ name: 'DollarMissing', facts: [] })),
    )
  })

  test('an order in no asset is never open on a pair without a dollar', async () => {
    const code = { abi: memoryMarketplaceAbi, bytecode: memoryMarketplaceBytecode }
    const address = await harness.deploy(code, [zeroAddress])
    const pair = { address, abi: memoryMarketplaceAbi } as const
    const registry = await harness.client.readContract({ ...pair, functionName: 'registry' })
    const { abi } = harness.registry
    const item = [friend.address, `0x${'07'.repeat(32)}`, `0x${'08'.repeat(32)}`, 0n] as const
    await harness.mined(
      harness.client.writeContract({
        address: registry,
        abi,
        functionName: 'mint',
        args: item,
        account: creator,
      }),
    )
    const order = orders.order({
      act: act.royalty,
      tokenId: 1n,
      recipient: friend.address,
      asset: zeroAddress,
    })
    expect(
      await harness.client.readContract({ ...pair, functionName: 'isOpen', args: [order] }),
    ).toBe(false)
    const args = [order, unsigned] as const
    const attempt = harness.client.simulateContract({
      ...pair,
      functionName: 'settle',
      args,
      account: payer,
    })
    expect(await refusalOf(attempt)).toEqual({
      name: 'OrderAssetInvalid',
      facts: [zeroAddress, zeroAddress],
    })
  })
})

describe('listMany', () => {
  const offer = (tokenId: bigint, inDollars: boolean) => ({ tokenId, ...everyOffer, inDollars })

  test('lists tokens in both currencies', async () => {
    const [native, dollars] = [await acts.mint(creator), await acts.mint(creator)]
    const offers = [offer(native, false), offer(dollars, true)]
    const receipt = await harness.mined(
      harness.marketplace.write.listMany([offers], { account: creator }),
    )
    const read = await Promise.all([native, dollars].map(listingOf))
    const assets = [zeroAddress, harness.dollar.address]
    expect(read).toEqual(
      assets.map((asset) => [creator.address, ...prices, royaltyBps, royaltyBps, true, asset]),
    )
    expect(marketEvents(receipt, 'Listed')).toHaveLength(1)
    expect(marketEvents(receipt, 'ListedInDollars')).toHaveLength(1)
  })

  test('asks who called, not who sent the transaction', async () => {
    const tokenId = await acts.mint(creator)
    const actor = await receiver(harness, 'Actor')
    const { address, abi } = harness.marketplace
    const args = [[offer(tokenId, false)]]
    const data = encodeFunctionData({ abi: abi as Abi, functionName: 'listMany', args })
    const call = { ...actor, functionName: 'act', args: [address, 0n, data], account: creator }
    expect((await refusalOf(harness.client.simulateContract(call))).name).toBe('ActFailed')
  })

  test('lists all or none', async () => {
    const [own, foreign] = [await acts.mint(creator), await acts.mint(friend)]
    const offers = [offer(own, false), offer(foreign, false)]
    const attempt = harness.marketplace.simulate.listMany([offers], { account: creator })
    expect(await refusalOf(attempt)).toEqual({
      name: 'ListingNotOwner',
      facts: [foreign, friend.address, creator.address],
    })
  })

  test('takes 1 to 200 tokens', async () => {
    const tokenId = await acts.mint(creator)
    const many = (count: number) =>
      [Array.from({ length: count }, () => offer(tokenId, false))] as const
    for (const count of [0, 201]) {
      const attempt = harness.marketplace.simulate.listMany(many(count), { account: creator })
      expect(await refusalOf(attempt)).toEqual({
        name: 'BatchSizeInvalid',
        facts: [BigInt(count), 200n],
      })
    }
    await harness.mined(harness.marketplace.write.listMany(many(200), { account: creator }))
  })

  test.for([
    ['price', 2n ** 80n, 'ListingPriceTooHigh'],
    ['rentPerDay', 2n ** 80n, 'ListingPriceTooHigh'],
    ['forkPrice', 2n ** 80n, 'ListingPriceTooHigh'],
    ['royaltyBps', 10_001n, 'RoyaltyShareTooHigh'],
  ] as const)('refuses a %s of %i', async ([name, value, refusal]) => {
    const tokenId = await acts.mint(creator)
    const offers = [{ ...offer(tokenId, true), [name]: value }]
    const attempt = harness.marketplace.simulate.listMany([offers], { account: creator })
    expect((await refusalOf(attempt)).name).toBe(refusal)
  })
})

describe('an operator', () => {
  const approve = (approved: boolean) =>
    harness.mined(
      harness.registry.write.setApprovalForAll([operator.address, approved], { account: creator }),
    )

  test('of an owner lists for it, and the owner is the seller', async () => {
    const tokenId = await acts.mint(creator)
    await approve(true)
    const receipt = await acts.list(operator, tokenId)
    expect(marketEvents(receipt, 'Listed')).toEqual([
      { tokenId, seller: creator.address, ...everyOffer },
    ])
    await harness.mined(
      harness.marketplace.write.listInDollars([tokenId, ...prices], { account: operator }),
    )
    await approve(false)
    const attempt = harness.marketplace.simulate.list([tokenId, ...prices], { account: operator })
    expect(await refusalOf(attempt)).toEqual({
      name: 'ListingNotOwner',
      facts: [tokenId, creator.address, operator.address],
    })
  })

  test('of one token lists nothing', async () => {
    const tokenId = await acts.mint(creator)
    await harness.mined(
      harness.registry.write.approve([operator.address, tokenId], { account: creator }),
    )
    const attempt = harness.marketplace.simulate.list([tokenId, ...prices], { account: operator })
    expect((await refusalOf(attempt)).name).toBe('ListingNotOwner')
  })
})
