import { type Address, encodeFunctionData, parseEther, toFunctionSelector, zeroAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { memoryMarketplaceBytecode } from '../../src/ledger/deployment/creation.generated.ts'
import { type ContractHarness, openContractHarness, party } from '../contract-harness.ts'
import { compileSolidity } from '../solidity.ts'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { act, type Order, ordersOn, state, unsigned } from './orders.ts'
import { receiver, send } from './receivers.ts'
import { refusalOf } from './refusal.ts'

const [creator, payer, friend, operator] = [party(1), party(2), party(3), party(4)]
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
const prices = [price, rentPerDay, forkPrice, royaltyBps] as const
const artifact = compileSolidity(['test/dollars/AwkwardDollar.sol']).AwkwardDollar

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>
let orders: ReturnType<typeof ordersOn>

beforeAll(async () => {
  harness = await openContractHarness(artifact)
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
    for (const attempt of attempts) {
      expect(await refusalOf(attempt)).toEqual({ name: 'DollarMissing', facts: [] })
    }
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

describe('withdrawFor', () => {
  test('sends native credit to its owner, for anybody', async () => {
    const seller = await receiver(harness, 'RefusingReceiver')
    const { address, abi } = harness.registry
    const args = [seller.address, `0x${'07'.repeat(32)}`, `0x${'08'.repeat(32)}`, 0n]
    await harness.mined(send(harness, seller, { address, abi, functionName: 'mint', args }))
    const tokenId = await harness.registry.read.totalSupply()
    const { marketplace, mined } = harness
    await mined(marketplace.write.payRoyalty([tokenId], { account: payer, value: 9n }))
    const refused = marketplace.simulate.withdrawFor([seller.address], { account: friend })
    expect(await refusalOf(refused)).toEqual({
      name: 'RecipientInvalid',
      facts: [seller.address],
    })
    await mined(harness.client.writeContract({ ...seller, functionName: 'relent', account: payer }))
    const receipt = await mined(
      marketplace.write.withdrawFor([seller.address], { account: friend }),
    )
    expect(await harness.client.getBalance(seller)).toBe(9n)
    expect(marketEvents(receipt, 'Withdrawn')).toEqual([
      { account: seller.address, to: seller.address, amount: 9n },
    ])
    const again = marketplace.simulate.withdrawFor([seller.address], { account: friend })
    expect((await refusalOf(again)).name).toBe('CreditEmpty')
  })
})

describe('a dollar that behaves badly', () => {
  const set = (functionName: string, args: readonly unknown[]) =>
    harness.mined(
      harness.client.writeContract({
        address: harness.dollar.address,
        abi: artifact?.abi ?? [],
        functionName,
        args,
        account: party(0),
      }),
    )
  const settle = (order: Order) =>
    harness.marketplace.write.settle([order, unsigned], { account: operator })
  const creditOf = (address: Address) => harness.marketplace.read.dollarCreditOf([address])
  let order: Order

  beforeEach(async () => {
    const tokenId = await orders.listed(creator)
    const named = { tokenId, recipient: friend.address, refundTo: payer.address }
    order = orders.order(named)
    await orders.deposit(payer, order)
  })

  test('that is paused stops its own acts only', async () => {
    await set('pause', [true])
    await expect(settle(order)).rejects.toThrow()
    const native = await acts.mint(creator)
    await acts.list(creator, native)
    await acts.rent(payer, native, 1n)
    await acts.buy(payer, native)
    expect(await harness.registry.read.ownerOf([native])).toBe(payer.address)
    expect(await orders.stateOf(order)).toBe(state.open)
    const refund = [order, harness.dollar.address] as const
    const attempt = harness.marketplace.simulate.refund(refund, { account: payer })
    expect((await refusalOf(attempt)).name).toBe('OrderRefundFailed')
    await set('pause', [false])
    await harness.mined(settle(order))
  })

  test('that blocks the seller credits it, and the sale goes on', async () => {
    await set('blockAccount', [creator.address, true])
    const receipt = await harness.mined(settle(order))
    const asset = harness.dollar.address
    expect(marketEvents(receipt, 'DollarsCredited')).toEqual([
      { to: creator.address, asset, amount: price },
    ])
    expect(await creditOf(creator.address)).toBe(price)
    expect(await orders.dollarsOf(harness.marketplace)).toBeGreaterThanOrEqual(price)
    expect(await harness.marketplace.read.creditOf([creator.address])).toBe(0n)
    const { simulate, write } = harness.marketplace
    const pushed = simulate.withdrawDollarsFor([creator.address], { account: friend })
    expect(await refusalOf(pushed)).toEqual({ name: 'RecipientInvalid', facts: [creator.address] })
    for (const to of [zeroAddress, harness.marketplace.address, harness.registry.address]) {
      const attempt = simulate.withdrawDollars([to], { account: creator })
      expect(await refusalOf(attempt)).toEqual({ name: 'RecipientInvalid', facts: [to] })
    }
    await set('blockAccount', [creator.address, false])
    const before = await orders.dollarsOf(creator)
    const withdrawn = await harness.mined(
      write.withdrawDollarsFor([creator.address], { account: friend }),
    )
    expect((await orders.dollarsOf(creator)) - before).toBe(price)
    expect(marketEvents(withdrawn, 'DollarsWithdrawn')).toEqual([
      { account: creator.address, to: creator.address, asset, amount: price },
    ])
    const again = simulate.withdrawDollars([friend.address], { account: creator })
    expect(await refusalOf(again)).toEqual({ name: 'CreditEmpty', facts: [creator.address] })
    const natively = simulate.withdraw([friend.address], { account: creator })
    expect((await refusalOf(natively)).name).toBe('CreditEmpty')
  })

  test('that says it did not pay credits the seller with what stays', async () => {
    await set('blockAccount', [creator.address, true])
    await harness.mined(settle(order))
    await set('blockAccount', [creator.address, false])
    await set('lie', [true])
    const attempt = harness.marketplace.simulate.withdrawDollars([friend.address], {
      account: creator,
    })
    expect((await refusalOf(attempt)).name).toBe('RecipientInvalid')
    await set('lie', [false])
    const before = await orders.dollarsOf(friend)
    await harness.mined(
      harness.marketplace.write.withdrawDollars([friend.address], { account: creator }),
    )
    expect((await orders.dollarsOf(friend)) - before).toBe(price)
  })

  test('that takes a fee pays for nothing, not from credits either, and can be had back', async () => {
    const tokenId = await orders.listed(creator)
    const credited = orders.order({ tokenId, recipient: friend.address })
    await orders.deposit(payer, credited)
    await set('blockAccount', [creator.address, true])
    await harness.mined(settle(credited))
    await set('blockAccount', [creator.address, false])
    expect(await orders.dollarsOf(harness.marketplace)).toBeGreaterThanOrEqual(price)
    await set('take', [100])
    const orderHash = await harness.marketplace.read.hashOf([order])
    const attempt = harness.marketplace.simulate.settle([order, unsigned], { account: operator })
    const facts = [orderHash, price, price - price / 100n]
    expect(await refusalOf(attempt)).toEqual({ name: 'OrderPaymentShort', facts })
    const fresh = { ...order, salt: orderHash }
    const direct = harness.marketplace.simulate.payOrder(await orders.payment(payer, fresh), {
      account: operator,
    })
    expect((await refusalOf(direct)).name).toBe('OrderPaymentShort')
    await harness.mined(
      harness.marketplace.write.refund([order, harness.dollar.address], { account: payer }),
    )
    await set('take', [0])
    expect(await orders.dollarsOf(await orders.depositOf(order))).toBe(0n)
  })

  const calls = {
    list: [1n, ...prices],
    listInDollars: [1n, ...prices],
    listMany: [[]],
    buy: [1n, friend.address],
    rent: [1n, friend.address, 1n],
    fork: [1n, friend.address, 1n],
    payRoyalty: [1n],
    withdraw: [friend.address],
    withdrawFor: [friend.address],
    withdrawDollars: [friend.address],
    withdrawDollarsFor: [friend.address],
    takeOverCredit: [friend.address],
  } as const
  const inOrder = ['payOrder', 'settle', 'refund'] as const

  test.for([...Object.keys(calls), ...inOrder])(
    'that calls back does not get into %s',
    async (functionName) => {
      const orderArgs = {
        payOrder: [order, payer.address, 0n, 0n, '0x'],
        settle: [order, unsigned],
        refund: [order, zeroAddress],
      }
      const args = { ...calls, ...orderArgs }[functionName]
      const abi = memoryMarketplaceAbi as never
      const plan = encodeFunctionData({ abi, functionName, args } as never)
      await set('prepare', [harness.marketplace.address, plan])
      const next = orders.order({ ...order, salt: zeroSalt })
      await harness.mined(settle(order))
      const read = (name: string) =>
        harness.client.readContract({
          address: harness.dollar.address,
          abi: artifact?.abi ?? [],
          functionName: name,
        })
      expect([await read('entered'), await read('answer')]).toEqual([
        false,
        toFunctionSelector('Reentered()'),
      ])
      await set('prepare', [zeroAddress, '0x'])
      expect(await orders.stateOf(next)).toBe(state.open)
    },
  )

  test.for(['payOrder', 'refund', 'withdrawDollars'] as const)(
    'that calls back cannot re-enter during %s',
    async (way) => {
      const { marketplace, mined } = harness
      if (way === 'withdrawDollars') {
        await set('blockAccount', [creator.address, true])
        await mined(settle(order))
        await set('blockAccount', [creator.address, false])
      }
      const plan = encodeFunctionData({
        abi: memoryMarketplaceAbi,
        functionName: 'withdrawFor',
        args: [friend.address],
      })
      await set('prepare', [marketplace.address, plan])
      if (way === 'payOrder') {
        const payment = await orders.payment(payer, order)
        await mined(marketplace.write.payOrder(payment, { account: operator }))
      } else if (way === 'refund') {
        const args = [order, harness.dollar.address] as const
        await mined(marketplace.write.refund(args, { account: payer }))
      } else await mined(marketplace.write.withdrawDollars([friend.address], { account: creator }))
      const answer = await harness.client.readContract({
        address: harness.dollar.address,
        abi: artifact?.abi ?? [],
        functionName: 'answer',
      })
      expect(answer).toBe(toFunctionSelector('Reentered()'))
      await set('prepare', [zeroAddress, '0x'])
    },
  )
})

const zeroSalt = `0x${'00'.repeat(32)}` as const

test('native credit and dollar credit of one account are apart', async () => {
  const seller = await receiver(harness, 'RefusingReceiver')
  const { registry, marketplace, mined } = harness
  const call = { address: registry.address, abi: registry.abi }
  const item = [seller.address, `0x${'07'.repeat(32)}`, `0x${'08'.repeat(32)}`, 0n]
  await mined(send(harness, seller, { ...call, functionName: 'mint', args: item }))
  const tokenId = await registry.read.totalSupply()
  const value = parseEther('1')
  await mined(marketplace.write.payRoyalty([tokenId], { account: payer, value }))
  expect(await marketplace.read.creditOf([seller.address])).toBe(value)
  expect(await marketplace.read.dollarCreditOf([seller.address])).toBe(0n)
  const dollars = marketplace.simulate.withdrawDollarsFor([seller.address], { account: payer })
  expect((await refusalOf(dollars)).name).toBe('CreditEmpty')
})
