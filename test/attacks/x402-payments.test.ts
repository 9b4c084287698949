import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, day, openRentals, paying, type Rentals } from '../harness/payments/rentals.ts'
import {
  newWallet,
  type PaymentFlaws,
  type PaymentRequired,
  requiredBy,
  type Shop,
  signPayment,
} from '../harness/payments/shop.ts'

let rentals: Rentals
let shop: Shop
beforeAll(async () => {
  rentals = await openRentals()
  ;({ shop } = rentals)
})
afterAll(() => rentals.close())

const rental: Rentals['rental'] = (...given) => rentals.rental(...given)
const newRental = () => rentals.newRental()

describe('a payment that does not pay is not used:', () => {
  const soon = () => BigInt(Math.floor(Date.now() / 1000))
  const flaws: readonly [string, string, () => PaymentFlaws][] = [
    ['too little', 'authorization_value_mismatch', () => ({ value: day - 1n })],
    ['to another address', 'recipient_mismatch', () => ({ to: newWallet().address })],
    ['valid too late', 'authorization_valid_after', () => ({ validAfter: soon() + 600n })],
    ['valid no more', 'authorization_valid_before', () => ({ validBefore: soon() - 1n })],
    ['for a second more', 'authorization_valid_before', () => ({ validBefore: soon() + 1n })],
    ['signed for another chain', 'payload_signature', () => ({ chainId: 1 })],
    ['signed for another dollar', 'signature', () => ({ verifyingContract: newWallet().address })],
    ['signed by another', 'payload_signature', () => ({ from: shop.deployment.agent, value: day })],
    ['of another network', 'invalid_network', () => ({ accepted: { network: 'eip155:1' } })],
    ['of another scheme', 'invalid_scheme', () => ({ accepted: { scheme: 'upto' } })],
  ]
  test.each(flaws)('%s (%s)', async (_, reason, flawsOf) => {
    const { ada, url, required, spent, rents, deposit } = await newRental()
    await shop.fund(shop.deployment.agent, day)
    // The domain of the signature must stay that of the chain when the payload names another.
    const chainId = shop.deployment.chainId
    const reply = await fetch(
      url,
      paying(await signPayment(ada, required, { chainId, ...flawsOf() })),
    )
    expect([reply.status, requiredBy(reply).error]).toEqual([402, expect.stringContaining(reason)])
    expect(requiredBy(reply).accepts).toEqual(required.accepts)
    expect([await spent(), await rents(), await shop.dollarsOf(deposit)]).toEqual([0n, false, 0n])
  })

  test('of somebody without dollars', async () => {
    const { url, required, rents } = await newRental()
    const reply = await fetch(url, paying(await signPayment(newWallet(), required)))
    expect([reply.status, requiredBy(reply).error]).toEqual([402, 'insufficient_funds'])
    expect(await rents()).toBe(false)
  })

  type Order = PaymentRequired['accepts'][0]['extra']['order']
  const orders: readonly [string, Partial<Order>][] = [
    ['more days', { numberOfDays: '30' }],
    ['another token', { tokenId: '1' }],
    ['another act', { act: 'buy' }],
    ['another refund', { refundTo: newWallet().address }],
    ['another recipient', { recipient: newWallet().address }],
    ['a lower price', { price: '1' }],
    ['another dollar', { asset: newWallet().address }],
    ['another salt', { salt: `0x${'7'.repeat(64)}` }],
    ['another deadline', { deadline: '4102444799' }],
  ]
  test.each(orders)('with an order that was changed: %s', async (_, change) => {
    const { ada, url, required, spent, rents } = await newRental()
    const [accepted] = required.accepts
    const order = { ...accepted.extra.order, ...change }
    const flaw = { accepted: { extra: { ...accepted.extra, order } } }
    const reply = await fetch(url, paying(await signPayment(ada, required, flaw)))
    expect([reply.status, await codeOf(reply)]).toEqual([402, 'payment/refused'])
    expect([await spent(), await rents()]).toEqual([0n, false])
  })
})

describe('terms that change before the payment arrives', () => {
  test.each(['500000', '1000001', '2000000'])('to a price of %s charge nothing', async (price) => {
    const { ada, id, url, required, spent, rents } = await newRental()
    await shop.list(id, { rentalPricePerDay: price })
    const reply = await fetch(url, paying(await signPayment(ada, required)))
    expect([reply.status, requiredBy(reply).accepts[0].amount]).toEqual([402, price])
    expect([await spent(), await rents()]).toEqual([0n, false])
    const next = await signPayment(ada, requiredBy(reply))
    expect((await fetch(url, paying(next))).status).toBe(200)
    expect([await spent(), await rents()]).toEqual([BigInt(price), true])
  })

  test('to another currency charge nothing, and give back what was used early', async () => {
    const { ada, id, url, required, spent } = await newRental()
    const header = await signPayment(ada, required)
    await shop.useEarly(header)
    const native = { price: '0', rentalPricePerDay: '5', forkPrice: '0', forkRoyaltyBps: 0 }
    await shop.send('/api/marketplace/list', { tokenId: id, ...native })
    const reply = await fetch(url, paying(header))
    expect([reply.status, await codeOf(reply)]).toEqual([409, 'listing/currency-changed'])
    expect(await spent()).toBe(0n)
  })

  test('by a sale to somebody else charge nothing', async () => {
    const { ada, id, required, spent, url } = await newRental()
    await shop.list(id, { price: `${day}`, rentalPricePerDay: `${day}` })
    const ben = newWallet()
    await shop.fund(ben.address)
    const buy = `${shop.url}/api/x402/buy/${id}?recipient=${ben.address}`
    const bought = await signPayment(ben, requiredBy(await fetch(buy)))
    expect((await fetch(buy, paying(bought))).status).toBe(200)
    const reply = await fetch(url, paying(await signPayment(ada, required)))
    expect([reply.status, await codeOf(reply)]).toEqual([409, 'listing/not-for-rent'])
    expect(await spent()).toBe(0n)
  })
})

describe('the address of an order', () => {
  test('takes more than the price, and gives the surplus back', async () => {
    const { ada, url, required, spent, rents, deposit } = await newRental()
    const reply = await fetch(url, paying(await signPayment(ada, required, { value: 5n * day })))
    expect(reply.status).toBe(200)
    expect([await spent(), await rents(), await shop.dollarsOf(deposit)]).toEqual([day, true, 0n])
  })

  test('may hold dust of a stranger, which the buyer gets', async () => {
    const { ada, url, required, spent, deposit } = await newRental()
    await shop.fund(deposit, 7n)
    expect((await fetch(url, paying(await signPayment(ada, required)))).status).toBe(200)
    expect(await spent()).toBe(day - 7n)
  })

  test('may be paid by a stranger, and then the buyer pays nothing', async () => {
    const { ada, url, required, spent, rents, deposit } = await newRental()
    await shop.fund(deposit, day)
    expect((await fetch(url, paying(await signPayment(ada, required)))).status).toBe(200)
    expect([await spent(), await rents()]).toEqual([0n, true])
  })
})

test('an order whose deadline has passed is neither offered nor carried out', async () => {
  const { ada, id, spent } = await newRental()
  const at = (deadline: number) => rental(id, ada.address, `&durationDays=1&deadline=${deadline}`)
  const yearAgo = Math.floor(Date.now() / 1000) - 31_536_000
  expect(await codeOf(await fetch(at(yearAgo)))).toBe('order/expired')
  const required = requiredBy(await fetch(at(yearAgo + 40_000_000)))
  const { extra } = required.accepts[0]
  const accepted = { extra: { ...extra, order: { ...extra.order, deadline: `${yearAgo}` } } }
  const header = await signPayment(ada, required, { accepted })
  expect(await codeOf(await fetch(at(yearAgo), paying(header)))).toBe('order/expired')
  expect(await spent()).toBe(0n)
})
