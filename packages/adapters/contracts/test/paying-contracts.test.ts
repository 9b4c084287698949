import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { everyOffer } from './acts.ts'
import {
  type AttackedOrders,
  friend,
  openAttackedOrders,
  payer,
  stranger,
} from './attacked-orders.ts'
import { type Order, unsigned } from './orders.ts'

const { price } = everyOffer

let harness: AttackedOrders['harness']
let orders: AttackedOrders['orders']
let newOrder: AttackedOrders['newOrder']
let settle: AttackedOrders['settle']
let ownerOf: AttackedOrders['ownerOf']
let deployHostile: AttackedOrders['deployHostile']
beforeAll(async () => {
  ;({ harness, orders, newOrder, settle, ownerOf, deployHostile } = await openAttackedOrders())
})

describe('a wallet that is a contract pays', () => {
  test.for([
    ['ContractWallet', '', 'payOrder'],
    ['FickleWallet', '00', 'payOrder'],
    ['ContractWallet', '', 'settle'],
    ['FickleWallet', '00', 'settle'],
  ] as const)('as a %s with "%s" more bytes than 65, by %s', async ([name, more, way]) => {
    const wallet = await deployHostile(name, name === 'ContractWallet' ? [payer.address] : [])
    await orders.give(wallet, price)
    const order = await newOrder()
    await (way === 'payOrder' ? payAs(wallet, order, more) : settleAs(wallet, order, more))
    expect(await ownerOf(order)).toBe(friend.address)
    expect(await orders.dollarsOf(wallet)).toBe(0n)
  })

  async function payAs(wallet: Hex, order: Order, more: string): Promise<void> {
    const [, , after, before, signature] = await orders.payment(payer, order, wallet)
    const args = [order, wallet, after, before, `${signature}${more}`] as const
    await harness.mined(harness.marketplace.write.payOrder(args, { account: stranger }))
  }

  async function settleAs(wallet: Hex, order: Order, more: string): Promise<void> {
    const signed = await orders.authorize(payer, order, { from: wallet })
    await harness.mined(settle(order, { ...signed, signature: `${signed.signature}${more}` }))
  }

  test('and cannot act while it is asked', async () => {
    const wallet = await deployHostile('MeddlingWallet')
    const order = await newOrder()
    await orders.give(wallet, price)
    const plan = encodeFunctionData({
      abi: memoryMarketplaceAbi,
      functionName: 'settle',
      args: [order, unsigned],
    })
    const abi = parseAbi(['function prepare(address target, bytes plan)'])
    const args = [harness.marketplace.address, plan] as const
    await harness.mined(
      harness.client.writeContract({
        address: wallet,
        abi,
        functionName: 'prepare',
        args,
        account: payer,
      }),
    )
    const payment = await orders.payment(payer, order, wallet)
    await harness.mined(harness.marketplace.write.payOrder(payment, { account: stranger }))
    expect(await ownerOf(order)).toBe(friend.address)
  })
})
