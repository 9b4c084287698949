import { type Address, encodeFunctionData, toFunctionSelector, zeroAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { compileSolidity } from '../solidity.ts'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { type Order, ordersOn, state, unsigned } from './orders.ts'
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

const zeroSalt = `0x${'00'.repeat(32)}` as const

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
