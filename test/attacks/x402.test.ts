import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeDeployData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { walletContract } from '../harness/chain/contract-wallets.ts'
import { publicAccount } from '../harness/copier.ts'
import {
  decodeHeader,
  encodeHeader,
  newWallet,
  type PaymentFlaws,
  type PaymentRequired,
  requiredBy,
  type Shop,
  shopAt,
  signPayment,
} from '../harness/payments/shop.ts'
import { proofHeaders, type RunningServer, startServer } from '../harness/process/server.ts'
import { sealerAt } from '../harness/sealer.ts'

const settings = { FAUCET_PER_DAY: '0', RPC_GAS: '3000000' }
const home = mkdtempSync(join(tmpdir(), 'x402-'))
let server: RunningServer
let shop: Shop
beforeAll(async () => {
  server = await startServer({ DATA_DIR: home, ...settings })
  shop = await shopAt(server.url)
})
afterAll(async () => {
  await server.end('SIGKILL')
  rmSync(home, { recursive: true })
})

const day = 1_000_000n
type Headers = Readonly<Record<string, string>>

/** Returns the URL of a rental of one day. */
const rental = (id: string, recipient: Hex, more = '&durationDays=1') =>
  `${shop.url}/api/x402/rent/${id}?recipient=${recipient}${more}`

const paying = (header: string, more: Headers = {}) => ({
  headers: { 'payment-signature': header, ...more },
})

const codeOf = async (response: Response) =>
  ((await response.json()) as { readonly code?: string }).code

/** Returns a wallet with test dollars, a token for rent, and what its rental asks for. */
async function newRental(prices = { rentalPricePerDay: `${day}` }) {
  const [ada, id] = [newWallet(), await shop.offer(prices)]
  await shop.fund(ada.address)
  const url = rental(id, ada.address)
  const required = requiredBy(await fetch(url))
  const spent = async () => 100_000_000n - (await shop.dollarsOf(ada.address))
  const rents = async () => (await shop.rentalOf(id, ada.address)) > 0n
  return { ada, id, url, required, spent, rents, deposit: required.accepts[0].payTo }
}

test('a 402 follows version 2 of x402, and keeps nothing: a thousand cost nothing', async () => {
  const { ada, id, url, required, deposit } = await newRental()
  const { agent, chainId, dollar } = shop.deployment
  const before = await shop.chain.getTransactionCount({ address: agent })
  const replies = await Promise.all(Array.from({ length: 1000 }, () => fetch(url)))
  for (const reply of replies) expect(requiredBy(reply)).toEqual(required)
  expect(await shop.chain.getTransactionCount({ address: agent })).toBe(before)
  expect(required).toMatchObject({
    ...{ x402Version: 2, error: 'PAYMENT-SIGNATURE header is required', resource: { url } },
    accepts: [
      {
        ...{ scheme: 'exact', network: `eip155:${chainId}`, amount: `${day}`, payTo: deposit },
        ...{ asset: dollar.address, maxTimeoutSeconds: 300 },
        extra: {
          ...{ assetTransferMethod: 'eip3009', name: dollar.name, version: dollar.version },
          order: { act: 'rent', tokenId: id, recipient: ada.address, refundTo: ada.address },
        },
      },
    ],
  })
  const reply = await fetch(url)
  expect([reply.status, await codeOf(reply)]).toEqual([402, 'payment/required'])
})

describe('a stolen payment', () => {
  test('rents nothing for a thief, and opens nothing', async () => {
    const { ada, id, url, required, spent, rents } = await newRental()
    const eve = newWallet()
    const header = await signPayment(ada, required)
    const own = await fetch(rental(id, eve.address), paying(header))
    expect([own.status, await codeOf(own)]).toEqual([402, 'payment/refused'])
    const proof = await proofHeaders(eve, id)
    const withOwnProof = await fetch(url, paying(header, proof))
    expect([withOwnProof.status, await codeOf(withOwnProof)]).toEqual([403, 'access/denied'])
    expect([await spent(), await rents()]).toEqual([0n, false])

    const replayed = await fetch(url, paying(header))
    expect(await replayed.json()).toMatchObject({ act: 'rent', recipient: ada.address })
    expect([await spent(), await rents()]).toEqual([day, true])
    const download = await fetch(`${shop.url}/api/memory/${id}`, { headers: proof })
    expect(download.status).toBe(403)
  })

  test('that is used early is a payment all the same', async () => {
    const { ada, url, required, spent, rents } = await newRental()
    const header = await signPayment(ada, required)
    await shop.useEarly(header)
    expect((await fetch(url, paying(header))).status).toBe(200)
    expect([await spent(), await rents()]).toEqual([day, true])
  })

  test('that is used early is one for whoever asks again without it', async () => {
    const { ada, url, required, spent, rents } = await newRental()
    await shop.useEarly(await signPayment(ada, required))
    expect((await fetch(url)).status).toBe(200)
    expect([await spent(), await rents()]).toEqual([day, true])
  })

  test('that is used early for terms that changed is given back', async () => {
    const { ada, id, url, required, spent, rents, deposit } = await newRental()
    const header = await signPayment(ada, required)
    await shop.useEarly(header)
    await shop.list(id, { rentalPricePerDay: '2000000' })
    const reply = await fetch(url, paying(header))
    expect([reply.status, requiredBy(reply).accepts[0].amount]).toEqual([402, '2000000'])
    expect([await spent(), await rents(), await shop.dollarsOf(deposit)]).toEqual([0n, false, 0n])
    // The first price again is another order, since the first one is closed.
    await shop.list(id, { rentalPricePerDay: `${day}` })
    const next = requiredBy(await fetch(url))
    expect(next.accepts[0].payTo).not.toBe(deposit)
    expect((await fetch(url, paying(await signPayment(ada, next)))).status).toBe(200)
    expect([await spent(), await rents()]).toEqual([day, true])
  })

  test('of one server pays nothing at another', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'x402-'))
    const elsewhere = await startServer({ DATA_DIR: folder, ...settings })
    onTestFinished(async () => {
      await elsewhere.end('SIGKILL')
      rmSync(folder, { recursive: true })
    })
    const there = await shopAt(elsewhere.url)
    const { ada, id, required } = await newRental()
    while (BigInt(await there.offer({ rentalPricePerDay: `${day}` })) < BigInt(id));
    const url = `${there.url}/api/x402/rent/${id}?durationDays=1&recipient=${ada.address}`
    const reply = await fetch(url, paying(await signPayment(ada, required)))
    expect([reply.status, await codeOf(reply)]).toEqual([402, 'payment/refused'])
  })
})

describe('one payment', () => {
  test('is used once, though it arrives twenty times at once and once more later', async () => {
    const { ada, url, required, spent } = await newRental()
    const header = await signPayment(ada, required)
    const replies = await Promise.all(Array.from({ length: 20 }, () => fetch(url, paying(header))))
    replies.push(await fetch(url, paying(header)))
    const hashes = replies.map((it) => decodeHeader<{ transaction: Hex }>(it, 'payment-response'))
    expect(new Set(hashes.map(({ transaction }) => transaction)).size).toBe(1)
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(await spent()).toBe(day)
  })

  test('of two for one purchase is used, and the other is not', async () => {
    const { ada, url, required, spent, rents } = await newRental()
    const headers = await Promise.all([1, 2, 3].map(() => signPayment(ada, required)))
    const replies = await Promise.all(headers.map((it) => fetch(url, paying(it))))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([await spent(), await rents()]).toEqual([day, true])
  })

  test('too many is given back by the relay, to whom it belongs', async () => {
    const { ada, url, required, spent, deposit } = await newRental()
    const [first, second] = [await signPayment(ada, required), await signPayment(ada, required)]
    expect((await fetch(url, paying(first))).status).toBe(200)
    await shop.useEarly(second)
    expect(await spent()).toBe(2n * day)
    const { order } = required.accepts[0].extra
    expect((await shop.send('/api/relay', { refund: { order } })).status).toBe(201)
    expect([await spent(), await shop.dollarsOf(deposit)]).toEqual([day, 0n])
    const again = await shop.send('/api/relay', { refund: { order } })
    expect(await codeOf(again)).toBe('relay/underpriced')
  })

  test('that waits for its act is not given back to please a stranger', async () => {
    const { ada, required, spent } = await newRental()
    await shop.useEarly(await signPayment(ada, required))
    const { order } = required.accepts[0].extra
    const early = await shop.send('/api/relay', { refund: { order } })
    expect([early.status, await codeOf(early)]).toEqual([403, 'order/refund-too-early'])
    expect(await spent()).toBe(day)
  })
})

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

test('a contract pays by the signature of its owner', async () => {
  const owner = newWallet()
  const { abi, bytecode } = walletContract('SharedWallet')
  const funded = await sealerAt(shop.url, publicAccount(4))
  const safe = await funded.deploy(encodeDeployData({ abi, bytecode, args: [[owner.address], 1n] }))
  await shop.fund(safe)
  const { id, url, required, rents } = await newRental()
  const wrong = await signPayment(newWallet(), required, { from: safe })
  expect((await fetch(url, paying(wrong))).status).toBe(402)
  expect(
    (await fetch(url, paying(await signPayment(owner, required, { from: safe })))).status,
  ).toBe(200)
  expect([await rents(), await shop.dollarsOf(safe)]).toEqual([true, 100_000_000n - day])
  expect(id).toMatch(/^\d+$/)
})

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
    expect((await pay('HEAD', {})).status).toBe(404)
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
    expect(await refused('')).toBe('request/malformed')
    expect(await refused(`&recipient=${shop.deployment.marketplace}`)).toBe('recipient/invalid')
    expect(await refused(`&recipient=0x${'0'.repeat(40)}`)).toBe('recipient/invalid')
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
