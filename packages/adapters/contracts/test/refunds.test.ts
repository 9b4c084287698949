import { encodeFunctionData, maxUint256, parseAbi, toFunctionSelector, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import {
  type AttackedOrders,
  creator,
  friend,
  openAttackedOrders,
  payer,
  refundee,
  stranger,
} from './attacked-orders.ts'
import { type Order, state, unsigned } from './orders.ts'
import { refusalOf } from './refusal.ts'

const { price } = everyOffer

let harness: AttackedOrders['harness']
let orders: AttackedOrders['orders']
let newOrder: AttackedOrders['newOrder']
let settle: AttackedOrders['settle']
let refund: AttackedOrders['refund']
let ownerOf: AttackedOrders['ownerOf']
let deployHostile: AttackedOrders['deployHostile']
let acts: ReturnType<typeof actsOn>
beforeAll(async () => {
  ;({ harness, orders, newOrder, settle, refund, ownerOf, deployHostile } =
    await openAttackedOrders())
  acts = actsOn(harness)
})

describe('a refund', () => {
  const tooEarly = async (order: Order) => ({
    name: 'OrderRefundTooEarly',
    facts: [await harness.marketplace.read.hashOf([order]), refundee.address, stranger.address],
  })
  const attempt = (order: Order, asset = harness.dollar.address) =>
    refusalOf(harness.marketplace.simulate.refund([order, asset], { account: stranger }))

  test('of an open order is for the account of refunds only, and closes it', async () => {
    const order = await newOrder()
    await orders.deposit(payer, order)
    expect(await attempt(order)).toEqual(await tooEarly(order))
    const before = await orders.dollarsOf(refundee)
    await harness.mined(refund(order, harness.dollar.address, refundee))
    expect((await orders.dollarsOf(refundee)) - before).toBe(price)
    expect(await orders.stateOf(order)).toBe(state.refunded)
    await orders.deposit(payer, order)
    const late = harness.marketplace.simulate.settle([order, unsigned], { account: stranger })
    expect(await refusalOf(late)).toMatchObject({ name: 'OrderClosed' })
    await harness.mined(refund(order, harness.dollar.address))
    expect((await orders.dollarsOf(refundee)) - before).toBe(2n * price)
  })

  test('before a payment closes the order too, for the account of refunds only', async () => {
    const order = await newOrder()
    const receipt = await harness.mined(refund(order, harness.dollar.address, refundee))
    expect(marketEvents(receipt, 'OrderRefunded')).toHaveLength(1)
    expect(await orders.stateOf(order)).toBe(state.refunded)
    const again = harness.marketplace.simulate.refund([order, harness.dollar.address], {
      account: refundee,
    })
    expect((await refusalOf(again)).name).toBe('OrderRefundFailed')
    const expired = await newOrder({ deadline: 1n })
    expect((await attempt(expired)).name).toBe('OrderRefundFailed')
  })

  test('is for anybody once the terms do not fit a whole payment, or the deadline has passed', async () => {
    for (const paid of [price, 1n]) {
      const order = await newOrder({ deadline: paid === price ? maxUint256 : 1n })
      await orders.deposit(payer, order, paid)
      if (paid === price) await acts.transfer(creator, order.tokenId, stranger.address)
      const before = await orders.dollarsOf(refundee)
      await harness.mined(refund(order, harness.dollar.address))
      expect((await orders.dollarsOf(refundee)) - before).toBe(paid)
      expect(await orders.stateOf(order)).toBe(state.refunded)
    }
  })

  test('goes to the recipient when no account of refunds is named', async () => {
    const order = await newOrder({ refundTo: zeroAddress })
    await orders.deposit(payer, order)
    const before = await orders.dollarsOf(friend)
    await harness.mined(refund(order, harness.dollar.address, friend))
    expect((await orders.dollarsOf(friend)) - before).toBe(price)
  })

  test('of dust cannot close an order whose terms do not fit for a moment', async () => {
    const order = await newOrder()
    const { tokenId } = order
    await acts.list(creator, tokenId)
    await orders.deposit(stranger, order, price - 1n)
    expect(await attempt(order)).toEqual(await tooEarly(order))
    const token = await deployHostile('HostileToken', [zeroAddress, '0x'])
    await harness.mined(refund(order, token))
    expect(await orders.stateOf(order)).toBe(state.open)
    const terms = [tokenId, price, 0n, 0n, 0n] as const
    await harness.mined(harness.marketplace.write.listInDollars(terms, { account: creator }))
    await orders.deposit(payer, order)
    await harness.mined(settle(order))
    expect(await ownerOf(order)).toBe(friend.address)
  })

  test('of another asset sends it and leaves the order open', async () => {
    const order = await newOrder()
    const deposit = await orders.depositOf(order)
    await harness.client.sendTransaction({ account: payer, to: deposit, value: 9n })
    expect(await attempt(order, zeroAddress)).toEqual(await tooEarly(order))
    const before = await harness.client.getBalance(friend)
    const named = { ...order, refundTo: friend.address }
    await harness.client.sendTransaction({
      account: payer,
      to: await orders.depositOf(named),
      value: 9n,
    })
    await acts.transfer(creator, order.tokenId, creator.address)
    await harness.mined(refund(named, zeroAddress))
    expect((await harness.client.getBalance(friend)) - before).toBe(9n)
    expect(await orders.stateOf(named)).toBe(state.open)
  })

  test('in a token of an attacker changes nothing, and lets it into nothing', async () => {
    const order = await newOrder({ deadline: 1n })
    await orders.deposit(payer, order)
    const plan = encodeFunctionData({
      abi: memoryMarketplaceAbi,
      functionName: 'refund',
      args: [order, harness.dollar.address],
    })
    const token = await deployHostile('HostileToken', [harness.marketplace.address, plan])
    await harness.mined(refund(order, token))
    const abi = parseAbi(['function answer() view returns (bytes4)'])
    expect(await harness.client.readContract({ address: token, abi, functionName: 'answer' })).toBe(
      toFunctionSelector('Reentered()'),
    )
    expect(await orders.dollarsOf(await orders.depositOf(order))).toBe(price)
    expect(await orders.stateOf(order)).toBe(state.open)
  })

  test('that is refused leaves the order open', async () => {
    const receiver = await deployHostile('MeddlingWallet')
    const order = await newOrder({ refundTo: receiver, deadline: 1n })
    const to = await orders.depositOf(order)
    await harness.client.sendTransaction({ account: payer, to, value: 9n })
    expect((await attempt(order, zeroAddress)).name).toBe('OrderRefundFailed')
    expect(await harness.client.getBalance({ address: to })).toBe(9n)
  })
})
