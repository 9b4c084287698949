import {
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { memoryMarketplaceBytecode } from '../../src/ledger/deployment/creation.generated.ts'
import { type ContractHarness, openContractHarness, party } from '../contract-harness.ts'
import { compileSolidity } from '../solidity.ts'
import { actsOn, everyOffer, marketEvents, word } from './acts.ts'
import { act, type Order, ordersOn, state, unsigned } from './orders.ts'
import { refusalOf } from './refusal.ts'

const [creator, payer, friend] = [party(1), party(2), party(3)]
const [stranger, refundee] = [party(4), party(5)]
const { price } = everyOffer
const hostile = compileSolidity(['test/dollars/AwkwardDollar.sol'])
const wallets = compileSolidity(['test/wallets/ContractWallet.sol'])

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>
let orders: ReturnType<typeof ordersOn>

beforeAll(async () => {
  harness = await openContractHarness()
  ;[acts, orders] = [actsOn(harness), ordersOn(harness)]
  for (const { address } of [payer, stranger]) await orders.give(address, 10_000_000n)
})

/** The failure of the dollar, which the marketplace passes on. */
const signatureInvalid = toFunctionSelector('AuthorizationSignatureInvalid(address)')

/** Returns an order to buy a new token. */
async function newOrder(changes: Partial<Order> = {}): Promise<Order> {
  const tokenId = await orders.listed(creator)
  const named = { tokenId, recipient: friend.address, refundTo: refundee.address }
  return orders.order({ ...named, ...changes })
}

const settle = (order: Order, authorization = unsigned) =>
  harness.marketplace.write.settle([order, authorization], { account: stranger })
const refund = (order: Order, asset: Hex, account = stranger) =>
  harness.marketplace.write.refund([order, asset], { account })
const ownerOf = ({ tokenId }: Order) => harness.registry.read.ownerOf([tokenId])

/** Deploys a contract of the attackers. */
function deployHostile(name: string, args: readonly unknown[] = []): Promise<Hex> {
  const artifact = { ...hostile, ...wallets }[name]
  if (!artifact) throw new Error(`There is no ${name}.`)
  return harness.deploy(artifact, args)
}

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
    const attempt = simulate.payOrder(await orders.payment(payer, order), { account: stranger })
    expect(await refusalOf(attempt)).toEqual({
      name: 'ListingCurrencyChanged',
      facts: [tokenId, zeroAddress],
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
          account: stranger,
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
    const { gasUsed } = await harness.mined(settle(order))
    expect(gasUsed).toBeLessThan(1_100_000n)
    const bound = orders.order({ tokenId: tokenId - 1n, recipient: friend.address, price: 1_000n })
    const args = [bound, harness.dollar.address] as const
    await orders.deposit(payer, bound)
    expect(await harness.marketplace.read.isOpen([bound])).toBe(true)
    const late = harness.marketplace.simulate.refund(args, { account: stranger })
    expect((await refusalOf(late)).name).toBe('OrderRefundTooEarly')
  })
})
