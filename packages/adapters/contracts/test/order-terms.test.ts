import { zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { everyOffer } from './acts.ts'
import { party } from './contract-harness.ts'
import { act, type Order, unsigned } from './orders.ts'
import { creator, friend, openPaidOrders, type PaidOrders, payer, relayer } from './paid-orders.ts'
import { refusalOf } from './refusal.ts'

const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer

let harness: PaidOrders['harness']
let acts: PaidOrders['acts']
let orders: PaidOrders['orders']
let pay: PaidOrders['pay']
beforeAll(async () => {
  ;({ harness, acts, orders, pay } = await openPaidOrders())
})

describe('an order that does not fit the terms', () => {
  const cases: readonly (readonly [string, Partial<Order>, string])[] = [
    ['at another price', { price: price - 1n }, 'ListingPriceChanged'],
    ['in another asset', { asset: zeroAddress }, 'OrderAssetInvalid'],
    ['for no account', { recipient: zeroAddress }, 'RecipientInvalid'],
    ['of a token that is not there', { tokenId: 1_000_000n }, 'TokenNotFound'],
    ['of token 0', { tokenId: 0n }, 'TokenNotFound'],
    ['for no days', { act: act.rent, price: rentPerDay }, 'RentalDurationInvalid'],
    [
      'for 366 days',
      { act: act.rent, price: 366n * rentPerDay, numberOfDays: 366n },
      'RentalDurationInvalid',
    ],
    [
      'for another number of days',
      { act: act.rent, price: 2n * rentPerDay, numberOfDays: 3n },
      'ListingPriceChanged',
    ],
    [
      'that owes more than accepted',
      { act: act.fork, price: forkPrice, maxRoyaltyBps: royaltyBps - 1n },
      'ListingRoyaltyChanged',
    ],
    ['to fork at another price', { act: act.fork, price: forkPrice + 1n }, 'ListingPriceChanged'],
    ['to pay nothing to a creator', { act: act.royalty, price: 0n }, 'RoyaltyZero'],
  ]

  test.for(cases)('%s is neither open nor carried out', async ([, changes, name]) => {
    const tokenId = await orders.listed(creator)
    const order = orders.order({ tokenId, recipient: friend.address, ...changes })
    await orders.deposit(payer, order)
    expect(await harness.marketplace.read.isOpen([order])).toBe(false)
    const attempt = harness.marketplace.simulate.settle([order, unsigned], { account: relayer })
    expect((await refusalOf(attempt)).name).toBe(name)
  })

  test('of a token in native coins, or not listed, is neither', async () => {
    const [native, unlisted] = [await acts.mint(creator), await acts.mint(creator)]
    await acts.list(creator, native)
    const named = [
      [native, 'ListingCurrencyChanged', [native, zeroAddress]],
      [unlisted, 'ListingNotForSale', [unlisted]],
    ] as const
    for (const [tokenId, name, facts] of named) {
      const order = orders.order({ tokenId, recipient: friend.address })
      await orders.deposit(payer, order)
      expect(await harness.marketplace.read.isOpen([order])).toBe(false)
      const attempt = harness.marketplace.simulate.settle([order, unsigned], { account: relayer })
      expect(await refusalOf(attempt)).toEqual({ name, facts })
    }
  })

  test('because its rental would end too late is neither, and is open again later', async () => {
    const tokenId = await orders.listed(creator)
    const rent = (days: bigint) =>
      orders.order({
        act: act.rent,
        tokenId,
        recipient: friend.address,
        price: days * rentPerDay,
        numberOfDays: days,
      })
    await pay(rent(365n))
    const order = rent(1n)
    const { read, simulate } = harness.marketplace
    expect(await read.isOpen([order])).toBe(false)
    const attempt = simulate.payOrder(await orders.payment(payer, order), { account: relayer })
    expect((await refusalOf(attempt)).name).toBe('RentalTooLong')
    const { timestamp } = await harness.client.getBlock()
    await harness.mineAt(timestamp + 86_400n)
    expect(await read.isOpen([order])).toBe(true)
    await pay(order)
  })
})

describe('an order is open', () => {
  test.for([
    ['to buy', {}],
    ['to rent', { act: act.rent, price: 365n * rentPerDay, numberOfDays: 365n }],
    ['to fork', { act: act.fork, price: forkPrice, maxRoyaltyBps: royaltyBps }],
    ['to pay a creator', { act: act.royalty, price: 1n, recipient: zeroAddress }],
  ] as const)('%s', async ([, changes]) => {
    const tokenId = await orders.listed(creator)
    const order = orders.order({ tokenId, recipient: friend.address, ...changes })
    expect(await harness.marketplace.read.isOpen([order])).toBe(true)
    await pay(order)
    expect(await harness.marketplace.read.isOpen([order])).toBe(false)
  })

  test('until its deadline, that second included', async () => {
    const tokenId = await orders.listed(creator)
    const { timestamp } = await harness.client.getBlock()
    const deadline = timestamp + 100n
    const order = orders.order({ tokenId, recipient: friend.address, deadline })
    await harness.mineAt(deadline)
    expect(await harness.marketplace.read.isOpen([order])).toBe(true)
    await harness.mineAt(deadline + 1n)
    expect(await harness.marketplace.read.isOpen([order])).toBe(false)
  })
})

test('a currency that is switched under a buyer fails the act, both ways', async () => {
  const tokenId = await orders.listed(creator, { price: 5n, rentPerDay: 5n, forkPrice: 5n })
  const { simulate } = harness.marketplace
  const paid = { account: payer, value: 5n }
  const natively = [
    simulate.buy([tokenId, payer.address], paid),
    simulate.rent([tokenId, payer.address, 1n], paid),
    simulate.fork([tokenId, payer.address, 0n], paid),
  ]
  for (const attempt of natively) {
    expect(await refusalOf(attempt)).toEqual({
      name: 'ListingCurrencyChanged',
      facts: [tokenId, harness.dollar.address],
    })
  }
  await acts.list(creator, tokenId, { price: 5n, rentPerDay: 5n, forkPrice: 5n })
  for (const kind of [act.buy, act.rent, act.fork]) {
    const order = orders.order({
      act: kind,
      tokenId,
      recipient: friend.address,
      price: 5n,
      numberOfDays: 1n,
      maxRoyaltyBps: 10_000n,
    })
    const attempt = simulate.payOrder(await orders.payment(payer, order), { account: relayer })
    expect(await refusalOf(attempt)).toEqual({
      name: 'ListingCurrencyChanged',
      facts: [tokenId, zeroAddress],
    })
  }
})

describe('a chain of 64 forks in dollars', () => {
  test('is paid within 1.1 million gas', async () => {
    let tokenId = await orders.listed(creator, { forkPrice: 1_000n, royaltyBps: 500n })
    const maker = (index: number) => party(1 + (index % 9))
    for (let depth = 0; depth < 64; depth += 1) {
      const recipient = maker(depth).address
      const fork = { act: act.fork, price: 1_000n, maxRoyaltyBps: 10_000n } as const
      const order = orders.order({ tokenId, recipient, ...fork })
      await harness.mined(
        harness.marketplace.write.payOrder(await orders.payment(payer, order), {
          account: relayer,
        }),
      )
      tokenId = await harness.registry.read.totalSupply()
      const terms = [tokenId, 1_000n, 10n, 1_000n, 500n] as const
      await harness.mined(harness.marketplace.write.listInDollars(terms, { account: maker(depth) }))
    }
    const deepest = orders.order({
      act: act.fork,
      tokenId,
      recipient: friend.address,
      price: 1_000n,
      maxRoyaltyBps: 10_000n,
    })
    expect(await harness.marketplace.read.isOpen([deepest])).toBe(false)
    const order = orders.order({ tokenId, recipient: friend.address, price: 1_000n })
    await orders.deposit(payer, order, 1_001n)
    const { gasUsed } = await harness.mined(
      harness.marketplace.write.settle([order, unsigned], { account: relayer }),
    )
    expect(gasUsed).toBeLessThan(1_100_000n)
    const bound = orders.order({ tokenId: tokenId - 1n, recipient: friend.address, price: 1_000n })
    const args = [bound, harness.dollar.address] as const
    await orders.deposit(payer, bound)
    expect(await harness.marketplace.read.isOpen([bound])).toBe(true)
    const late = harness.marketplace.simulate.refund(args, { account: relayer })
    expect((await refusalOf(late)).name).toBe('OrderRefundTooEarly')
  })
})
