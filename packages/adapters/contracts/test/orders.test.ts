import { maxUint256, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { everyOffer, marketEvents } from './acts.ts'
import { act, type Order, state, unsigned } from './orders.ts'
import {
  creator,
  friend,
  openPaidOrders,
  type PaidOrders,
  payer,
  relayer,
  second,
} from './paid-orders.ts'
import { refusalOf, refusalsOf } from './refusal.ts'

const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer

let harness: PaidOrders['harness']
let acts: PaidOrders['acts']
let orders: PaidOrders['orders']
let pay: PaidOrders['pay']
let settle: PaidOrders['settle']
beforeAll(async () => {
  ;({ harness, acts, orders, pay, settle } = await openPaidOrders())
})

const ways: readonly (readonly [string, (order: Order) => ReturnType<PaidOrders['pay']>])[] = [
  ['an authorization', (order) => pay(order)],
  ['its own address', (order) => settle(order)],
]

describe.for(ways)('an order paid by %s', ([, carryOut]) => {
  test('buys a token for the recipient', async () => {
    const tokenId = await orders.listed(creator)
    const order = orders.order({ tokenId, recipient: friend.address })
    const before = await Promise.all([payer, creator].map(orders.dollarsOf))
    const receipt = await carryOut(order)
    const orderHash = await harness.marketplace.read.hashOf([order])
    expect(await harness.registry.read.ownerOf([tokenId])).toBe(friend.address)
    expect(marketEvents(receipt, 'SoldForDollars')).toEqual([
      {
        tokenId,
        seller: creator.address,
        recipient: friend.address,
        payer: payer.address,
        price,
        asset: harness.dollar.address,
        orderHash,
      },
    ])
    const after = await Promise.all([payer, creator].map(orders.dollarsOf))
    expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([-price, price])
    expect(await orders.stateOf(order)).toBe(state.settled)
    expect(await orders.dollarsOf(harness.marketplace)).toBe(0n)
  })

  test('rents a token to the recipient, from the end of its running rental on', async () => {
    const tokenId = await orders.listed(creator)
    const days = { act: act.rent, price: 3n * rentPerDay, numberOfDays: 3n } as const
    const first = await carryOut(orders.order({ tokenId, recipient: friend.address, ...days }))
    const order = orders.order({ tokenId, recipient: friend.address, ...days })
    const receipt = await carryOut(order)
    const { timestamp } = await harness.client.getBlock({ blockHash: first.blockHash })
    const expiresAt = timestamp + 6n * 86_400n
    expect(await harness.marketplace.read.rentalExpiry([tokenId, friend.address])).toBe(expiresAt)
    expect(marketEvents(receipt, 'RentedForDollars')).toEqual([
      {
        tokenId,
        renter: friend.address,
        owner: creator.address,
        payer: payer.address,
        expiresAt,
        paid: 3n * rentPerDay,
        asset: harness.dollar.address,
        orderHash: await harness.marketplace.read.hashOf([order]),
      },
    ])
  })

  test('forks a token; the recipient creates and owns the fork', async () => {
    const parent = await orders.listed(creator)
    const fork = { act: act.fork, price: forkPrice, maxRoyaltyBps: royaltyBps } as const
    const order = orders.order({ tokenId: parent, recipient: friend.address, ...fork })
    const receipt = await carryOut(order)
    const tokenId = await harness.registry.read.totalSupply()
    const record = await harness.registry.read.recordOf([tokenId])
    expect([record[0], record[2], record[3], record[6]]).toEqual([
      friend.address,
      parent,
      royaltyBps + 1n,
      friend.address,
    ])
    expect(marketEvents(receipt, 'ForkedForDollars')).toEqual([
      {
        parent,
        tokenId,
        recipient: friend.address,
        payer: payer.address,
        royaltyBps,
        price: forkPrice,
        asset: harness.dollar.address,
        orderHash: await harness.marketplace.read.hashOf([order]),
      },
    ])
  })

  test('pays the creator of a token', async () => {
    const tokenId = await acts.mint(creator, friend.address)
    const order = orders.order({
      act: act.royalty,
      tokenId,
      price: 7n,
      recipient: zeroAddress,
      refundTo: payer.address,
    })
    const before = await orders.dollarsOf(creator)
    const receipt = await carryOut(order)
    expect((await orders.dollarsOf(creator)) - before).toBe(7n)
    expect(marketEvents(receipt, 'RoyaltyPaidInDollars')).toEqual([
      {
        tokenId,
        to: creator.address,
        from: payer.address,
        amount: 7n,
        asset: harness.dollar.address,
        orderHash: await harness.marketplace.read.hashOf([order]),
      },
    ])
  })

  test('divides the price among the claims and the seller', async () => {
    const root = await orders.listed(creator, { forkPrice, royaltyBps: 1_001n })
    const fork = { act: act.fork, price: forkPrice, maxRoyaltyBps: 10_000n } as const
    await carryOut(orders.order({ tokenId: root, recipient: friend.address, ...fork }))
    const child = await harness.registry.read.totalSupply()
    const terms = [child, 999n, 10n, 0n, 0n] as const
    await harness.mined(harness.marketplace.write.listInDollars(terms, { account: friend }))
    const before = await Promise.all([creator, friend].map(orders.dollarsOf))
    const rent = { act: act.rent, numberOfDays: 1n, price: 10n } as const
    const rented = await carryOut(
      orders.order({ tokenId: child, recipient: second.address, ...rent }),
    )
    const receipt = await carryOut(
      orders.order({ tokenId: child, recipient: second.address, price: 999n }),
    )
    const after = await Promise.all([creator, friend].map(orders.dollarsOf))
    expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([
      99n + 1n,
      900n + 9n,
    ])
    for (const one of [rented, receipt]) {
      expect(marketEvents(one, 'RoyaltyPaidInDollars')).toEqual([
        expect.objectContaining({ tokenId: root, to: creator.address, from: payer.address }),
      ])
    }
  })

  test('is carried out once', async () => {
    const tokenId = await orders.listed(creator)
    const days = { act: act.rent, price: rentPerDay, numberOfDays: 1n } as const
    const order = orders.order({ tokenId, recipient: friend.address, ...days })
    await carryOut(order)
    const orderHash = await harness.marketplace.read.hashOf([order])
    await orders.deposit(payer, order)
    const { simulate } = harness.marketplace
    const attempts = [
      simulate.settle([order, unsigned], { account: relayer }),
      simulate.payOrder([order, payer.address, 0n, maxUint256, '0x'], { account: relayer }),
    ]
    expect(await refusalsOf(attempts)).toEqual(
      attempts.map(() => ({
        name: 'OrderClosed',
        facts: [orderHash, state.settled],
      })),
    )
  })

  test('is refused after its deadline, and carried out at it', async () => {
    const tokenId = await orders.listed(creator)
    const { timestamp } = await harness.client.getBlock()
    const deadline = timestamp + 365n * 86_400n
    const order = orders.order({ tokenId, recipient: friend.address, deadline })
    await orders.deposit(payer, order)
    await harness.mineAt(deadline + 1n)
    const orderHash = await harness.marketplace.read.hashOf([order])
    expect(await harness.marketplace.read.isOpen([order])).toBe(false)
    const attempt = harness.marketplace.simulate.settle([order, unsigned], { account: relayer })
    expect(await refusalOf(attempt)).toEqual({ name: 'OrderExpired', facts: [orderHash, deadline] })
    const later = orders.order({ tokenId, recipient: friend.address, deadline: deadline + 1_000n })
    await orders.give(payer.address, price)
    await harness.dateNextBlock(deadline + 999n)
    await harness.mined(
      harness.dollar.write.transfer([await orders.depositOf(later), price], { account: payer }),
    )
    await harness.dateNextBlock(deadline + 1_000n)
    await harness.mined(
      harness.marketplace.write.settle([later, unsigned], { account: relayer, gas: 1_000_000n }),
    )
    expect(await harness.registry.read.ownerOf([tokenId])).toBe(friend.address)
  })
})
