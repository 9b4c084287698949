import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AwkwardServer, startAwkwardServer } from '../harness/payments/awkward-server.ts'
import { newWallet, requiredBy, type Shop, shopAt, signPayment } from '../harness/payments/shop.ts'

const key = 'a-key-of-some-length'
let anvil: AwkwardServer['anvil']
let dollar: AwkwardServer['dollar']
let server: AwkwardServer['server']
let close: (() => Promise<void>) | undefined
let shop: Shop
beforeAll(async () => {
  ;({ anvil, dollar, server, close } = await startAwkwardServer({
    API_KEYS: key,
    OPEN_ACTS: 'relay',
  }))
  shop = await shopAt(server.url, key, anvil.url.href)
})
afterAll(() => close?.())

const day = 1_000_000n

/** Returns a wallet with dollars, and a payment that it signed for a rental. */
async function newPayment() {
  const [ada, id] = [newWallet(), await shop.offer({ rentalPricePerDay: `${day}` })]
  await dollar.send('faucet', [ada.address, 10n * day])
  const url = `${shop.url}/api/x402/rent/${id}?durationDays=1&recipient=${ada.address}`
  const required = requiredBy(await fetch(url))
  const headers = { 'payment-signature': await signPayment(ada, required) }
  const spent = async () => 10n * day - (await shop.dollarsOf(ada.address))
  return { pay: () => fetch(url, { headers }), spent, deposit: required.accepts[0].payTo, ada }
}

const refusal = async (reply: Response) => [
  reply.status,
  ((await reply.json()) as { readonly code: string }).code,
]

test('a paused dollar charges nothing, and the same payment is used once it goes on', async () => {
  const { pay, spent } = await newPayment()
  await dollar.send('pause', [true])
  expect(await refusal(await pay())).toEqual([402, 'payment/refused'])
  await dollar.send('pause', [false])
  expect(await spent()).toBe(0n)
  expect((await pay()).status).toBe(200)
  expect(await spent()).toBe(day)
})

test('a dollar that blocks the address of an order, or the payer, charges nothing', async () => {
  for (const whom of ['deposit', 'payer'] as const) {
    const { pay, spent, deposit, ada } = await newPayment()
    await dollar.send('blockAccount', [whom === 'deposit' ? deposit : ada.address, true])
    expect(await refusal(await pay())).toEqual([402, 'payment/refused'])
    expect(await spent()).toBe(0n)
  }
})

test('a dollar that takes a fee of transfers pays no order, and charges nothing', async () => {
  const { pay, spent } = await newPayment()
  await dollar.send('take', [100n])
  expect(await refusal(await pay())).toEqual([402, 'payment/refused'])
  expect(await spent()).toBe(0n)
})
