import type { Hash } from '@heirloom/core'
import { hashTypedData, maxUint256, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { depositAddress } from '../../src/ledger/orders/deposit-address.ts'
import {
  type ContractHarness,
  genesisTime,
  openContractHarness,
  party,
} from '../contract-harness.ts'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { act, type Order, ordersOn, state, unsigned } from './orders.ts'
import { refusalOf } from './refusal.ts'

const [creator, payer, friend, relayer, second] = [1, 2, 3, 4, 5].map(party) as [
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
]
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>
let orders: ReturnType<typeof ordersOn>

beforeAll(async () => {
  harness = await openContractHarness()
  ;[acts, orders] = [actsOn(harness), ordersOn(harness)]
  await orders.give(payer.address, 1_000_000n)
})

/** Pays an order by an authorization for it, sent by somebody else. */
async function pay(order: Order) {
  const { mined, marketplace } = harness
  return mined(marketplace.write.payOrder(await orders.payment(payer, order), { account: relayer }))
}

/** Pays an order to its address, and settles it. */
async function settle(order: Order) {
  const { mined, marketplace } = harness
  const authorization = await orders.authorize(payer, order)
  return mined(marketplace.write.settle([order, authorization], { account: relayer }))
}

const ways = [
  ['an authorization', pay],
  ['its own address', settle],
] as const

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
    for (const attempt of attempts) {
      expect(await refusalOf(attempt)).toEqual({
        name: 'OrderClosed',
        facts: [orderHash, state.settled],
      })
    }
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

describe('settle', () => {
  const bought = async () => {
    const tokenId = await orders.listed(creator)
    return orders.order({ tokenId, recipient: friend.address, refundTo: second.address })
  }

  test('fails when less than the price is there, and leaves it there', async () => {
    const order = await bought()
    await orders.deposit(payer, order, price - 1n)
    const orderHash = await harness.marketplace.read.hashOf([order])
    const attempt = harness.marketplace.simulate.settle([order, unsigned], { account: relayer })
    expect(await refusalOf(attempt)).toEqual({
      name: 'OrderPaymentShort',
      facts: [orderHash, price, price - 1n],
    })
    expect(await orders.stateOf(order)).toBe(state.open)
  })

  test('takes what is at the address together with a smaller authorization', async () => {
    const order = await bought()
    await orders.deposit(payer, order, price - 1n)
    const authorization = await orders.authorize(payer, order, { value: 1n })
    const receipt = await harness.mined(
      harness.marketplace.write.settle([order, authorization], { account: relayer }),
    )
    // Nobody paid the whole price in this transaction.
    expect(marketEvents(receipt, 'SoldForDollars')).toEqual([
      expect.objectContaining({ payer: await orders.depositOf(order), price }),
    ])
  })

  test('sends an excess to the account of refunds', async () => {
    const order = await bought()
    await orders.deposit(payer, order, 30n)
    const before = await orders.dollarsOf(second)
    const authorization = await orders.authorize(payer, order, { value: price + 5n })
    const receipt = await harness.mined(
      harness.marketplace.write.settle([order, authorization], { account: relayer }),
    )
    expect((await orders.dollarsOf(second)) - before).toBe(35n)
    expect(await orders.dollarsOf(await orders.depositOf(order))).toBe(0n)
    expect(marketEvents(receipt, 'SoldForDollars')).toEqual([
      expect.objectContaining({ payer: payer.address }),
    ])
  })

  test('sends nothing back when exactly the price is there', async () => {
    const order = await bought()
    await orders.deposit(payer, order, price)
    const { logs } = await harness.mined(
      harness.marketplace.write.settle([order, unsigned], { account: relayer }),
    )
    const transfers = parseEventLogs({ abi: harness.dollar.abi, logs, eventName: 'Transfer' })
    expect(transfers.map(({ args }) => args.to)).not.toContain(second.address)
  })

  test('sends an excess to the recipient when no account of refunds is named', async () => {
    const order = { ...(await bought()), refundTo: zeroAddress } as const
    await orders.deposit(payer, order, price + 3n)
    const before = await orders.dollarsOf(friend)
    await harness.mined(harness.marketplace.write.settle([order, unsigned], { account: relayer }))
    expect((await orders.dollarsOf(friend)) - before).toBe(3n)
  })

  test('deploys the address once, and uses it again for a refund', async () => {
    const order = await bought()
    await settle(order)
    await orders.deposit(payer, order, 12n)
    const before = await orders.dollarsOf(second)
    const { mined, marketplace, dollar } = harness
    const receipt = await mined(
      marketplace.write.refund([order, dollar.address], { account: relayer }),
    )
    expect((await orders.dollarsOf(second)) - before).toBe(12n)
    expect(marketEvents(receipt, 'OrderRefunded')).toEqual([
      {
        orderHash: await marketplace.read.hashOf([order]),
        to: second.address,
        asset: dollar.address,
        amount: 12n,
      },
    ])
    expect(await orders.stateOf(order)).toBe(state.settled)
  })
})

test('the hash of an order is its EIP-712 hash, and its address follows from it', async () => {
  const { client, marketplace } = harness
  const order = orders.order({ tokenId: 1n, recipient: friend.address, deadline: genesisTime })
  const uint = <name extends string>(name: name) => ({ name, type: 'uint256' }) as const
  const hash = hashTypedData({
    domain: {
      name: 'Heirloom Marketplace',
      version: '1',
      chainId: client.chain.id,
      verifyingContract: marketplace.address,
    },
    types: {
      Order: [
        { name: 'act', type: 'uint8' },
        uint('tokenId'),
        { name: 'asset', type: 'address' },
        uint('price'),
        { name: 'recipient', type: 'address' },
        uint('numberOfDays'),
        uint('maxRoyaltyBps'),
        { name: 'refundTo', type: 'address' },
        uint('deadline'),
        { name: 'salt', type: 'bytes32' },
      ],
    } as const,
    primaryType: 'Order',
    message: order,
  })
  expect(await marketplace.read.hashOf([order])).toBe(hash)
  const depositCode = await marketplace.read.depositCode()
  const deposit = depositAddress(hash as Hash, { marketplace: marketplace.address, depositCode })
  expect(await marketplace.read.depositOf([hash])).toBe(deposit)
  expect(await marketplace.read.stateOf([zeroHash])).toBe(state.open)
})
