import { depositAddress, encodedOrderHash, encodeSettle } from '@heirloom/adapters/internal/orders'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { sendOnce } from '../../packages/adapters/src/ledger/send-once.ts'
import { readOrder } from '../../packages/http/src/server/request/read-signed-act.ts'
import { testClient } from '../harness/chain/anvil.ts'
import { seller } from '../harness/chain/dollar-relay.ts'
import { type AwkwardServer, startAwkwardServer } from '../harness/payments/awkward-server.ts'
import { codeOf, paying } from '../harness/payments/rentals.ts'
import {
  newWallet,
  type PrintedOrder,
  requiredBy,
  type Shop,
  shopAt,
  signPayment,
} from '../harness/payments/shop.ts'
import { clientOf } from '../harness/process/deployer.ts'

const day = 1_000_000n
const week = 604_800
const always = { validBefore: maxUint256 }
let anvil: AwkwardServer['anvil']
let dollar: AwkwardServer['dollar']
let server: AwkwardServer['server']
let close: (() => Promise<void>) | undefined
let shop: Shop
beforeAll(async () => {
  ;({ anvil, dollar, server, close } = await startAwkwardServer())
  shop = await shopAt(server.url, undefined, anvil.url.href)
})
afterAll(() => close?.())

/** Returns a wallet with dollars, and a payment for a rental or a purchase that never reached the server. */
async function newPayment(act: 'rent' | 'buy') {
  const prices = { price: `${day}`, rentalPricePerDay: `${day}` }
  const [ada, id] = [newWallet(), await shop.offer(prices)]
  await dollar.send('faucet', [ada.address, 10n * day])
  const more = act === 'rent' ? '&durationDays=1' : ''
  const url = `${shop.url}/api/x402/${act}/${id}?recipient=${ada.address}${more}`
  const required = requiredBy(await fetch(url))
  const header = await signPayment(ada, required, always)
  const { payTo, extra } = required.accepts[0]
  return {
    ada,
    id,
    url,
    header,
    prices,
    deposit: payTo,
    order: extra.order,
    required,
    spent: async () => 10n * day - (await shop.dollarsOf(ada.address)),
    has: async () =>
      act === 'buy'
        ? (await shop.ownerOf(id)) === ada.address
        : (await shop.rentalOf(id, ada.address)) > 0n,
  }
}

/** Makes the transfer of a payment, as anybody can who saw it. */
async function useEarly(header: string): Promise<void> {
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString())
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization
  const times = [BigInt(validAfter), BigInt(validBefore)]
  const args = [from, to, BigInt(value), ...times, nonce, payload.signature]
  await dollar.send('transferWithAuthorization', args)
}

const encode = (order: PrintedOrder) => readOrder(order as Parameters<typeof readOrder>[0])

/** Has an order carried out by its seller, past every server. */
const settle = (order: PrintedOrder) =>
  sendOnce(
    { client: clientOf(anvil), wallet: seller },
    {
      operation: 'settle',
      to: shop.deployment.marketplace,
      data: encodeSettle({ order: encode(order) }),
    },
  )

/** Turns the clock of the chain to the second after a deadline. */
async function passDeadline({ deadline }: PrintedOrder): Promise<void> {
  const chain = testClient(anvil)
  await chain.setNextBlockTimestamp({ timestamp: BigInt(deadline) + 1n })
  await chain.mine({ blocks: 1 })
}

/** Returns the address that an order is paid to. */
async function locate(order: PrintedOrder) {
  const { chainId, marketplace } = shop.deployment
  const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
  const depositCode = await shop.chain.readContract({ ...market, functionName: 'depositCode' })
  const hash = encodedOrderHash(encode(order), { chainId, marketplace })
  return depositAddress(hash, { marketplace, depositCode })
}

const refund = async (order: PrintedOrder) => {
  const reply = await shop.send('/api/relay', { refund: { order } })
  return [reply.status, reply.status === 201 ? undefined : await codeOf(reply)]
}

test.each(['rent', 'buy'] as const)(
  'a payment to %s that a seller let wait cannot be used when the price suits it again',
  async (act) => {
    const { id, header, order, prices, deposit, spent, has } = await newPayment(act)
    await shop.list(id, { price: '5', rentalPricePerDay: '5' })
    // The buyer's request is lost; the seller makes the transfer, and waits.
    await useEarly(header)
    expect([await spent(), await shop.dollarsOf(deposit)]).toEqual([day, day])
    expect(Number(order.deadline) * 1000 - Date.now()).toBeLessThan(2 * week * 1000)
    await passDeadline(order)
    await shop.list(id, prices)
    await expect(settle(order)).rejects.toMatchObject({ code: 'order/expired' })
    expect(await has()).toBe(false)
    // Anybody may give it back now, though the terms fit.
    expect(await refund(order)).toEqual([201, undefined])
    expect([await spent(), await shop.dollarsOf(deposit)]).toEqual([0n, 0n])
  },
)

test.each(['rent', 'buy'] as const)(
  'a retry to %s after the deadline is charged once, though the first payment is made after it',
  async (act) => {
    const { ada, url, header, order, deposit, spent, has } = await newPayment(act)
    await passDeadline(order)
    const required = requiredBy(await fetch(url))
    expect(required.accepts[0].payTo).not.toBe(deposit)
    const again = await signPayment(ada, required, always)
    expect((await fetch(url, paying(again))).status).toBe(200)
    expect([await spent(), await has()]).toEqual([day, true])
    // A thief had kept the first one.
    await useEarly(header)
    await expect(settle(order)).rejects.toMatchObject({ code: 'order/expired' })
    expect(await refund(order)).toEqual([201, undefined])
    expect(await spent()).toBe(day)
  },
)

test('a retry after the deadline gets back what was paid for the order before', async () => {
  const { url, header, order, deposit, spent } = await newPayment('rent')
  await useEarly(header)
  await passDeadline(order)
  expect(await spent()).toBe(day)
  const reply = await fetch(url)
  expect(reply.status).toBe(402)
  expect(requiredBy(reply).accepts[0].extra.order.deadline).toBe(`${Number(order.deadline) + week}`)
  expect([await spent(), await shop.dollarsOf(deposit)]).toEqual([0n, 0n])
})

test('a retry with the payment itself, too late, charges nothing', async () => {
  const { url, header, order, spent, has } = await newPayment('rent')
  await passDeadline(order)
  const reply = await fetch(url, paying(header))
  expect([reply.status, await codeOf(reply)]).toEqual([402, 'payment/refused'])
  expect([await spent(), await has()]).toEqual([0n, false])
})

test('an order that an earlier version offered without a deadline is carried out still', async () => {
  const { ada, url, order, required, spent, has } = await newPayment('rent')
  const [accepted] = required.accepts
  const old = { ...order, deadline: '4102444800' }
  const payTo = await locate(old)
  const offered = { ...accepted, payTo, extra: { ...accepted.extra, order: old } }
  const header = await signPayment(ada, { accepts: [offered] }, always)
  await useEarly(header)
  expect((await fetch(url)).status).toBe(200)
  expect([await spent(), await has()]).toEqual([day, true])
})

test('a request of a fork has one order for ever, for only its name tells a retry', async () => {
  const id = await shop.offer({ forkPrice: `${day}` })
  const more = `recipient=${newWallet().address}&price=${day}&maxRoyaltyBps=500&id=one`
  const url = `${shop.url}/api/x402/fork/${id}?${more}`
  const [before] = requiredBy(await fetch(url)).accepts
  await testClient(anvil).increaseTime({ seconds: 3 * week })
  await testClient(anvil).mine({ blocks: 1 })
  expect(requiredBy(await fetch(url)).accepts).toEqual([before])
})
