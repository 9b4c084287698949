import { type Hex, parseAbi, toFunctionSelector } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { memoryMarketplaceBytecode } from '../../src/ledger/deployment/creation.generated.ts'
import { everyOffer, marketEvents, word } from './acts.ts'
import {
  type AttackedOrders,
  creator,
  friend,
  openAttackedOrders,
  payer,
  refundee,
  stranger,
} from './attacked-orders.ts'
import { party } from './contract-harness.ts'
import { act, type Order, state, unsigned } from './orders.ts'
import { refusalOf } from './refusal.ts'

const { price } = everyOffer

let harness: AttackedOrders['harness']
let orders: AttackedOrders['orders']
let newOrder: AttackedOrders['newOrder']
let settle: AttackedOrders['settle']
let ownerOf: AttackedOrders['ownerOf']
beforeAll(async () => {
  ;({ harness, orders, newOrder, settle, ownerOf } = await openAttackedOrders())
})

/** The failure of the dollar, which the marketplace passes on. */
const signatureInvalid = toFunctionSelector('AuthorizationSignatureInvalid(address)')

describe('whoever takes a signed payment early', () => {
  test('cannot use it for anything but the order it pays to', async () => {
    const order = await newOrder()
    const authorization = await orders.authorize(payer, order)
    const own = await newOrder({ recipient: stranger.address, refundTo: stranger.address })
    const attempt = harness.marketplace.simulate.settle([own, authorization], { account: stranger })
    await expect(attempt).rejects.toThrow(signatureInvalid)
  })

  test('pays the order: it is settled without it, or with it', async () => {
    for (const withIt of [true, false]) {
      const order = await newOrder()
      const authorization = await orders.authorize(payer, order)
      const { value, validAfter, validBefore, nonce, signature } = authorization
      const to = await orders.depositOf(order)
      const transfer = [
        payer.address,
        to,
        value,
        validAfter,
        validBefore,
        nonce,
        signature,
      ] as const
      await harness.mined(
        harness.dollar.write.transferWithAuthorization(transfer, { account: stranger }),
      )
      await harness.mined(settle(order, withIt ? authorization : unsigned))
      expect(await ownerOf(order)).toBe(friend.address)
    }
  })

  test('cannot take a payment to the marketplace at all', async () => {
    const order = await newOrder()
    const [, , validAfter, validBefore, signature] = await orders.payment(payer, order)
    const nonce = await harness.marketplace.read.hashOf([order])
    const to = harness.marketplace.address
    const receive = [payer.address, to, price, validAfter, validBefore, nonce, signature] as const
    const attempts = [
      harness.dollar.simulate.receiveWithAuthorization(receive, { account: stranger }),
      harness.dollar.simulate.transferWithAuthorization(receive, { account: stranger }),
    ]
    const names = await Promise.all(attempts.map(async (one) => (await refusalOf(one)).name))
    expect(names).toEqual(['CallerNotRecipient', 'AuthorizationSignatureInvalid'])
  })

  test('cannot use such a payment for an order that differs in anything', async () => {
    const order = await newOrder()
    const [, from, validAfter, validBefore, signature] = await orders.payment(payer, order)
    const changes: readonly Partial<Order>[] = [
      { recipient: stranger.address },
      { refundTo: stranger.address },
      { tokenId: await orders.listed(stranger) },
      { salt: word(1_000_000) },
      { deadline: 4_000_000_000n },
      { maxRoyaltyBps: 1n },
      { numberOfDays: 1n },
    ]
    for (const change of changes) {
      const other = { ...order, ...change }
      const args = [other, from, validAfter, validBefore, signature] as const
      const attempt = harness.marketplace.simulate.payOrder(args, { account: stranger })
      await expect(attempt).rejects.toThrow(signatureInvalid)
    }
  })
})

describe('a stranger who settles', () => {
  test('is not named as the payer for an authorization of nothing', async () => {
    const order = await newOrder()
    await orders.deposit(payer, order)
    const authorization = await orders.authorize(stranger, order, { value: 0n })
    const receipt = await harness.mined(settle(order, authorization))
    expect(marketEvents(receipt, 'SoldForDollars')).toEqual([
      expect.objectContaining({ payer: await orders.depositOf(order) }),
    ])
  })

  test('with any gas limit does the whole act or nothing', async () => {
    const root = await orders.listed(creator, { forkPrice: 1n, royaltyBps: 1_000n })
    await orders.deposit(payer, await newOrder())
    const fork = { act: act.fork, price: 1n, maxRoyaltyBps: 10_000n } as const
    const forked = orders.order({ tokenId: root, recipient: creator.address, ...fork })
    await orders.deposit(payer, forked)
    await harness.mined(settle(forked))
    const tokenId = await harness.registry.read.totalSupply()
    const terms = [tokenId, 0n, 10n, 0n, 0n] as const
    await harness.mined(harness.marketplace.write.listInDollars(terms, { account: creator }))
    let settled = 0
    for (let gas = 60_000n; gas < 420_000n; gas += 1_500n) {
      const rent = { act: act.rent, numberOfDays: 1n, price: 10n } as const
      const recipient = party(6 + (settled % 5)).address
      const order = orders.order({ tokenId, recipient, refundTo: refundee.address, ...rent })
      await orders.deposit(payer, order, 13n)
      settled += await expectWholeOrNothing(order, gas)
    }
    expect(settled).toBeGreaterThan(0)
  })

  /** Settles an order of which 13 dollars were paid; returns 1 if that succeeded. */
  async function expectWholeOrNothing(order: Order, gas: bigint): Promise<number> {
    const args = [order, unsigned] as const
    const hash = await harness.marketplace.write.settle(args, { account: stranger, gas })
    const { status } = await harness.client.getTransactionReceipt({ hash })
    const left = await orders.dollarsOf(await orders.depositOf(order))
    // An excess of which only the gas was short would be left behind.
    const whole = [state.settled, 0n]
    const nothing = [state.open, 13n]
    expect([await orders.stateOf(order), left]).toEqual(status === 'success' ? whole : nothing)
    expect(await harness.marketplace.read.dollarCreditOf([creator.address])).toBe(0n)
    expect(await orders.dollarsOf(harness.marketplace)).toBe(0n)
    return status === 'success' ? 1 : 0
  }

  test('with any gas limit sends the whole refund or nothing', async () => {
    const order = await newOrder({ deadline: 1n })
    let refunded = 0n
    const before = await orders.dollarsOf(refundee)
    for (let gas = 40_000n; gas < 200_000n; gas += 2_000n) {
      const deposit = await orders.depositOf(order)
      if ((await orders.dollarsOf(deposit)) === 0n) await orders.deposit(payer, order, 5n)
      const args = [order, harness.dollar.address] as const
      const hash = await harness.marketplace.write.refund(args, { account: stranger, gas })
      const { status } = await harness.client.getTransactionReceipt({ hash })
      if (status === 'success') refunded += 5n
      expect((await orders.dollarsOf(refundee)) - before).toBe(refunded)
    }
    expect(refunded).toBeGreaterThan(0n)
  })
})

test('only the marketplace moves what is at the address of an order', async () => {
  const order = await newOrder()
  await orders.deposit(payer, order)
  await harness.mined(settle(order))
  await orders.deposit(payer, order)
  const abi = parseAbi([
    'function pull(address asset, address to, uint256 amount) returns (bool)',
    'error CallerNotMarketplace(address caller)',
  ])
  const code = await harness.marketplace.read.depositCode()
  for (const address of [await orders.depositOf(order), code]) {
    const args = [harness.dollar.address, stranger.address, 1n] as const
    const call = { address, abi, functionName: 'pull', args, account: stranger } as const
    expect(await refusalOf(harness.client.simulateContract(call))).toEqual({
      name: 'CallerNotMarketplace',
      facts: [stranger.address],
    })
  }
})

test('an order of another marketplace or chain has another hash and another address', async () => {
  const code = { abi: memoryMarketplaceAbi, bytecode: memoryMarketplaceBytecode }
  const address = await harness.deploy(code, [harness.dollar.address])
  const order = await newOrder()
  const there = { address, abi: memoryMarketplaceAbi } as const
  const hash = await harness.client.readContract({
    ...there,
    functionName: 'hashOf',
    args: [order],
  })
  expect(hash).not.toBe(await harness.marketplace.read.hashOf([order]))
  const args = await orders.payment(payer, order)
  const call = { ...there, functionName: 'payOrder', args, account: stranger } as const
  await expect(harness.client.simulateContract(call)).rejects.toThrow(signatureInvalid)
})

test('a signature with a high s pays nothing', async () => {
  const order = await newOrder()
  const [, from, validAfter, validBefore, signature] = await orders.payment(payer, order)
  const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (n - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const v = signature.endsWith('1b') ? '1c' : '1b'
  const twisted: Hex = `0x${signature.slice(2, 66)}${s}${v}`
  const args = [order, from, validAfter, validBefore, twisted] as const
  const attempt = harness.marketplace.simulate.payOrder(args, { account: stranger })
  await expect(attempt).rejects.toThrow(signatureInvalid)
})
