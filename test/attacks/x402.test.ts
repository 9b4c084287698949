import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeDeployData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { walletContract } from '../harness/chain/contract-wallets.ts'
import { publicAccount } from '../harness/copier.ts'
import {
  codeOf,
  day,
  openRentals,
  paying,
  type Rentals,
  settings,
} from '../harness/payments/rentals.ts'
import {
  decodeHeader,
  newWallet,
  requiredBy,
  type Shop,
  shopAt,
  signPayment,
} from '../harness/payments/shop.ts'
import { hostServer, proofHeaders } from '../harness/process/server.ts'
import { sealerAt } from '../harness/sealer.ts'

let rentals: Rentals
let shop: Shop
beforeAll(async () => {
  rentals = await openRentals()
  ;({ shop } = rentals)
})
afterAll(() => rentals.close())

const rental: Rentals['rental'] = (...given) => rentals.rental(...given)
const newRental = () => rentals.newRental()

test('a 402 follows version 2 of x402, and keeps nothing: a thousand cost nothing', async () => {
  const { ada, id, url, required, deposit } = await newRental()
  const { agent, chainId, dollar } = shop.deployment
  const before = await shop.chain.getTransactionCount({ address: agent })
  for (let round = 0; round < 20; round++) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => fetch(url)))
    for (const reply of replies) expect(requiredBy(reply).accepts).toEqual(required.accepts)
  }
  expect(await shop.chain.getTransactionCount({ address: agent })).toBe(before)
  expect(required).toMatchObject({
    x402Version: 2,
    error: 'PAYMENT-SIGNATURE header is required',
    resource: { url },
    accepts: [
      {
        scheme: 'exact',
        network: `eip155:${chainId}`,
        amount: `${day}`,
        payTo: deposit,
        asset: dollar.address,
        maxTimeoutSeconds: 300,
        extra: {
          assetTransferMethod: 'eip3009',
          name: dollar.name,
          version: dollar.version,
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
    const elsewhere = await hostServer({ DATA_DIR: folder, ...settings })
    onTestFinished(async () => {
      await elsewhere.end()
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

  test('that is not used, because another account paid, is not called the payment', async () => {
    const { ada, url, required } = await newRental()
    const { ada: eve } = await newRental()
    const [own, eves] = [await signPayment(ada, required), await signPayment(eve, required)]
    expect((await fetch(url, paying(own))).headers.get('payment-response')).not.toBe(null)
    const again = await fetch(url, paying(eves))
    expect([again.status, again.headers.get('payment-response')]).toEqual([200, null])
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
