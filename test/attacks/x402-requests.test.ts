import { request as httpRequest } from 'node:http'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, day, openRentals, paying, type Rentals } from '../harness/payments/rentals.ts'
import {
  encodeHeader,
  newWallet,
  requiredBy,
  type Shop,
  signPayment,
} from '../harness/payments/shop.ts'
import { proofHeaders } from '../harness/process/server.ts'

type Headers = Readonly<Record<string, string>>

let rentals: Rentals
let shop: Shop
beforeAll(async () => {
  rentals = await openRentals()
  ;({ shop } = rentals)
})
afterAll(() => rentals.close())

const rental: Rentals['rental'] = (...given) => rentals.rental(...given)
const newRental = () => rentals.newRental()

describe('a header that cannot be read is refused, and uses nothing:', () => {
  const text = 'x'.repeat(20_000)
  const cases: readonly [string, string, number][] = [
    ['empty', '', 400],
    ['no base64', '%%%', 400],
    ['no JSON', Buffer.from('{').toString('base64'), 400],
    ['null', encodeHeader(null as unknown as object), 400],
    ['a list', encodeHeader([]), 400],
    ['version 1', encodeHeader({ x402Version: 1 }), 400],
    ['nothing accepted', encodeHeader({ x402Version: 2 }), 400],
    ['too long', encodeHeader({ x402Version: 2, text }), 400],
    ['longer than any header', encodeHeader({ x402Version: 2, text: text + text }), 400],
  ]
  test.each(cases)('%s', async (_, header, status) => {
    const { url, rents } = await newRental()
    const reply = await fetch(url, paying(header))
    expect(reply.status).toBe(status)
    expect(await codeOf(reply)).toMatch(/\/malformed$/)
    expect(await rents()).toBe(false)
  })

  test('two of them', async () => {
    const { ada, url, required, spent } = await newRental()
    const twice = [await signPayment(ada, required), await signPayment(ada, required)]
    const status = await new Promise((resolve, reject) => {
      const headers = { 'payment-signature': twice }
      httpRequest(url, { headers }, (reply) => resolve(reply.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect([status, await spent()]).toEqual([400, 0n])
  })
})

describe('a request', () => {
  const pay = async (method: string, more: Headers) => {
    const { ada, url, required, spent } = await newRental()
    const reply = await fetch(url, { method, ...paying(await signPayment(ada, required), more) })
    expect(await spent()).toBe(0n)
    return reply
  }

  test('of a foreign page pays nothing', async () => {
    const reply = await pay('GET', { origin: 'https://evil.example' })
    expect([reply.status, await codeOf(reply)]).toEqual([403, 'request/foreign-origin'])
  })

  test('for the head alone pays nothing', async () => {
    expect((await pay('HEAD', {})).status).toBe(405)
  })

  test('with a proof that opens nothing is refused before it pays', async () => {
    const { ada, id, url, required, spent } = await newRental()
    const header = await signPayment(ada, required)
    const proof = await proofHeaders(ada, id)
    const wrong: readonly Headers[] = [
      { 'x-wallet-address': ada.address },
      { ...proof, 'x-wallet-timestamp': '1000' },
      await proofHeaders(ada, '99'),
      { ...(await proofHeaders(newWallet(), id)), 'x-wallet-address': ada.address },
    ]
    for (const it of wrong) expect((await fetch(url, paying(header, it))).status).toBe(403)
    expect(await spent()).toBe(0n)
    expect(await (await fetch(url, paying(header, proof))).json()).toMatchObject({
      data: { mood: 'calm' },
    })
  })

  test('that names nobody, or somebody who can receive nothing, is refused', async () => {
    const { id } = await newRental()
    const path = `${shop.url}/api/x402/rent/${id}?durationDays=1`
    const refused = async (more: string) => codeOf(await fetch(`${path}${more}`))
    expect(await refused('')).toBe('payment/incomplete')
    expect(await refused(`&recipient=${shop.deployment.marketplace}`)).toBe('recipient/invalid')
    expect(await refused(`&recipient=0x${'0'.repeat(40)}`)).toBe('recipient/invalid')
    const lost = `&recipient=${newWallet().address}&refundTo=${shop.deployment.registry}`
    expect(await refused(lost)).toBe('recipient/invalid')
    expect(await refused(`&recipient=${newWallet().address}&recipients=1`)).toBe(
      'request/malformed',
    )
    const gone = `${shop.url}/api/x402/buy/99999?recipient=${newWallet().address}`
    expect(await codeOf(await fetch(gone))).toBe('token/not-found')
  })

  test('for less than is worth its gas asks for no payment', async () => {
    const id = await shop.offer({ rentalPricePerDay: '9999' })
    const reply = await fetch(rental(id, newWallet().address))
    expect([reply.status, await codeOf(reply)]).toEqual([403, 'relay/underpriced'])
  })

  test('for what the recipient has is answered, and charges nothing', async () => {
    const { ada, url, required, spent } = await newRental()
    const extra = await signPayment(ada, required)
    expect((await fetch(url, paying(await signPayment(ada, required)))).status).toBe(200)
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url, paying(extra))).status).toBe(200)
    expect(await spent()).toBe(day)
  })
})

test('a fork asks for the price and the royalties that its client saw', async () => {
  const id = await shop.offer({ forkPrice: '3000000' })
  const ada: PrivateKeyAccount = newWallet()
  await shop.fund(ada.address)
  const forkAt = (price: string, bps: string) =>
    `${shop.url}/api/x402/fork/${id}?recipient=${ada.address}&price=${price}&maxRoyaltyBps=${bps}&id=1`
  expect(await codeOf(await fetch(forkAt('2999999', '500')))).toBe('listing/price-changed')
  expect(await codeOf(await fetch(forkAt('3000000', '499')))).toBe('listing/royalty-changed')
  const url = forkAt('3000000', '500')
  const [first, second] = await Promise.all(
    [1, 2].map(async () => signPayment(ada, requiredBy(await fetch(url)))),
  )
  const reply = await fetch(url, paying(first ?? ''))
  const forked = (await reply.json()) as { readonly childTokenId: string }
  // The reply is lost and the price changes: the client asks again, and pays again.
  await shop.list(id, { forkPrice: '4000000' })
  expect(await (await fetch(url)).json()).toMatchObject(forked)
  expect(await (await fetch(url, paying(second ?? ''))).json()).toMatchObject(forked)
  expect(await shop.dollarsOf(ada.address)).toBe(97_000_000n)
})
