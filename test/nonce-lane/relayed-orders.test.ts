import { account, nobody, orderActs } from '@heirloom/core'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RelayOptions } from '../../packages/adapters/src/ledger/relay/relay.ts'
import { sharedWallet } from '../harness/chain/contract-wallets.ts'
import {
  ada,
  agent,
  type DollarRelay,
  eve,
  openDollarRelay,
  price,
} from '../harness/chain/dollar-relay.ts'

let chain: DollarRelay
beforeAll(async () => {
  chain = await openDollarRelay()
})
afterAll(() => chain.close())

const options: RelayOptions = { rules: { gas: 500_000n, leastOrder: 10_000n }, budgets: [] }

test('an order is paid once, however often it is relayed, and pays for its recipient alone', async () => {
  const id = await chain.listed()
  const before = {
    ada: await chain.dollar.balanceOf(ada.address),
    agent: await chain.dollar.balanceOf(agent.address),
  }
  const paid = await chain.payment(chain.orderOf(id))
  const first = await chain.relay.payOrder(paid, options)
  expect(first).toMatchObject({ act: 'buy' })
  const nonce = await chain.nonceOfAgent()
  expect(await chain.relay.payOrder(paid, options)).toEqual(first)
  // Whatever payment comes with it, the order is carried out once.
  const other = { ...paid, validBefore: maxUint256 - 1n }
  expect(await chain.relay.payOrder(other, options)).toEqual(first)
  expect(await chain.nonceOfAgent()).toBe(nonce)
  expect(await chain.ownerOf(id)).toBe(ada.address)
  expect(await chain.dollar.balanceOf(ada.address)).toBe(before.ada - price)
  expect(await chain.dollar.balanceOf(agent.address)).toBe(before.agent)
})

test('an order for a fork and one for a rental return what they made', async () => {
  const id = await chain.listed()
  const fork = chain.orderOf(id, { act: orderActs.indexOf('fork'), maxRoyaltyBps: 500n })
  const forked = await chain.relay.payOrder(await chain.payment(fork), options)
  expect(forked).toMatchObject({ act: 'fork', tokenIds: [expect.any(BigInt)] })
  const rent = chain.orderOf(id, {
    act: orderActs.indexOf('rent'),
    numberOfDays: 3n,
    price: 3n * price,
  })
  const rented = await chain.relay.payOrder(await chain.payment(rent), options)
  expect(Number(rented.expiresAt)).toBeGreaterThan(Date.now() + 2 * 86_400_000)
})

test('an order that was paid at its address is settled once, and the surplus comes back', async () => {
  const id = await chain.listed()
  const order = chain.orderOf(id)
  const before = await chain.dollar.balanceOf(ada.address)
  const settlement = { order, authorization: await chain.authorization(order, 3n * price) }
  const first = await chain.relay.settle(settlement, options)
  expect(first).toMatchObject({ act: 'buy' })
  expect(await chain.relay.settle(settlement, options)).toEqual(first)
  // Whatever payment comes with it, the order has one settlement.
  expect(await chain.relay.settle({ order }, options)).toEqual(first)
  expect(await chain.dollar.balanceOf(ada.address)).toBe(before - price)
  expect(await chain.ownerOf(id)).toBe(ada.address)
})

test('a stranger has nothing given back that the agent wallet could ask for', async () => {
  const id = await chain.listed()
  const order = chain.orderOf(id, { refundTo: account(agent.address) })
  const { hash, deposit } = await chain.placeOf(order)
  await chain.dollar.send('faucet', [deposit, price])
  const refund = chain.relay.refund({ order, asset: order.asset }, options)
  await expect(refund).rejects.toMatchObject({ code: 'order/refund-too-early' })
  expect([await chain.stateOf(hash), await chain.dollar.balanceOf(deposit)]).toEqual([0, price])
  await chain.relay.settle({ order }, options)
  expect(await chain.ownerOf(id)).toBe(ada.address)
})

test('a contract wallet pays an order with its own signature (ERC-1271)', async () => {
  const id = await chain.listed()
  const safe = await sharedWallet(chain.anvil.url, [account(eve.address)])
  await chain.dollar.send('faucet', [safe, price])
  const order = chain.orderOf(id, { recipient: safe, refundTo: safe })
  await chain.relay.payOrder(await chain.payment(order, eve, safe), options)
  expect(await chain.ownerOf(id)).toBe(safe)
  expect(await chain.dollar.balanceOf(safe)).toBe(0n)
})

describe('an order that fails is named, and costs nothing', () => {
  const refused = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'done',
      (error: unknown) => error,
    )
  test.each<[string, string, (id: bigint) => Promise<unknown>]>([
    [
      'of the signature of another',
      'dollar/refused',
      async (id) => {
        const paid = await chain.payment(chain.orderOf(id), eve, ada.address)
        return chain.relay.payOrder(paid, options)
      },
    ],
    [
      'of a payment for another order',
      'dollar/refused',
      async (id) => {
        const { signature } = await chain.payment(chain.orderOf(id))
        return chain.relay.payOrder(
          { ...(await chain.payment(chain.orderOf(id))), signature },
          options,
        )
      },
    ],
    [
      'of another marketplace',
      'order/foreign-asset',
      async (id) =>
        chain.relay.payOrder(
          await chain.payment(chain.orderOf(id, { asset: account(eve.address) })),
          options,
        ),
    ],
    [
      'at less than the least price',
      'relay/underpriced',
      async (id) =>
        chain.relay.payOrder(await chain.payment(chain.orderOf(id, { price: 9_999n })), options),
    ],
    [
      'past its deadline',
      'order/expired',
      async (id) =>
        chain.relay.payOrder(await chain.payment(chain.orderOf(id, { deadline: 1n })), options),
    ],
    [
      'that nobody paid',
      'order/short',
      async (id) => chain.relay.settle({ order: chain.orderOf(id) }, options),
    ],
    [
      'of a payer with too little',
      'dollar/refused',
      async (id) => {
        const order = chain.orderOf(id, { price: 10n ** 15n })
        return chain.relay.payOrder(await chain.payment(order), options)
      },
    ],
    [
      'that could be refunded to nobody',
      'recipient/invalid',
      async (id) => {
        const order = chain.orderOf(id, { recipient: nobody, refundTo: nobody })
        return chain.relay.settle({ order }, options)
      },
    ],
    [
      'that could be refunded to a contract of the pair alone',
      'recipient/invalid',
      async (id) => {
        const order = chain.orderOf(id, { refundTo: account(chain.contracts.marketplace) })
        return chain.relay.settle({ order }, options)
      },
    ],
  ])('%s: %s', async (_, code, attempt) => {
    const id = await chain.listed()
    const nonce = await chain.nonceOfAgent()
    expect(await refused(attempt(id))).toMatchObject({ code })
    expect(await chain.nonceOfAgent()).toBe(nonce)
  })

  test('after the price changed, with both prices in dollars', async () => {
    const id = await chain.listed()
    const paid = await chain.payment(chain.orderOf(id))
    await chain.onMarket('listInDollars', [id, 2n * price, price, price, 500n])
    expect(await refused(chain.relay.payOrder(paid, options))).toMatchObject({
      code: 'listing/price-changed',
      facts: { price: 2n * price, offered: price, currency: 'dollar' },
    })
    await chain.onMarket('list', [id, price, price, price, 500n])
    expect(await refused(chain.relay.payOrder(paid, options))).toMatchObject({
      code: 'listing/currency-changed',
    })
  })

  test('while the dollar is paused or blocks the payer; then the same payment is made', async () => {
    const id = await chain.listed()
    const paid = await chain.payment(chain.orderOf(id))
    await chain.dollar.send('pause', [true])
    const nonce = await chain.nonceOfAgent()
    expect(await refused(chain.relay.payOrder(paid, options))).toMatchObject({
      code: 'dollar/refused',
      facts: { reason: expect.stringMatching(/^it reverts with 0x\w{8}$/) },
    })
    await chain.dollar.send('pause', [false])
    await chain.dollar.send('blockAccount', [ada.address, true])
    expect(await refused(chain.relay.payOrder(paid, options))).toMatchObject({
      code: 'dollar/refused',
    })
    await chain.dollar.send('blockAccount', [ada.address, false])
    expect(await chain.nonceOfAgent()).toBe(nonce)
    await chain.relay.payOrder(paid, options)
    expect(await chain.ownerOf(id)).toBe(ada.address)
  })
})
