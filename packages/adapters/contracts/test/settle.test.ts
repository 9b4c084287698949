import type { Hash } from '@heirloom/core'
import { hashTypedData, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { depositAddress } from '../../src/ledger/orders/encode-order.ts'
import { everyOffer, marketEvents } from './acts.ts'
import { genesisTime } from './contract-harness.ts'
import { state, unsigned } from './orders.ts'
import {
  creator,
  friend,
  openPaidOrders,
  type PaidOrders,
  payer,
  relayer,
  second,
} from './paid-orders.ts'
import { refusalOf } from './refusal.ts'

const { price } = everyOffer

let harness: PaidOrders['harness']
let orders: PaidOrders['orders']
let settle: PaidOrders['settle']
beforeAll(async () => {
  ;({ harness, orders, settle } = await openPaidOrders())
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
