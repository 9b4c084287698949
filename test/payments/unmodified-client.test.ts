import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWallet, type Shop, shopAt } from '../harness/payments/shop.ts'
import { type HostedServer, hostServer, proofHeaders } from '../harness/process/server.ts'

const key = 'a-key-of-the-operator'
const home = mkdtempSync(join(tmpdir(), 'x402-'))
let server: HostedServer
let shop: Shop
beforeAll(async () => {
  server = await hostServer({ DATA_DIR: home, API_KEYS: key, OPEN_ACTS: 'relay' })
  shop = await shopAt(server.url, key)
})
afterAll(async () => {
  await server.end()
  rmSync(home, { recursive: true })
})

/** Returns the fetch of an unmodified client with one key, and the requests that it made. */
function payingFetch(wallet: PrivateKeyAccount) {
  const requests: Request[] = []
  const counted = (...[input, init]: Parameters<typeof fetch>) => {
    const request = new Request(input, init)
    requests.push(request)
    return fetch(request)
  }
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(wallet))
  // Without a word of its owner the client pays in known dollars only.
  const { chainId, dollar } = shop.deployment
  client.setSpendControls({
    allowedAssets: [{ network: `eip155:${chainId}`, asset: dollar.address }],
  })
  return { pay: wrapFetchWithPayment(counted, client), requests }
}

/** Returns a wallet that has test dollars and no native money. */
async function newBuyer() {
  const wallet = newWallet()
  const given = await shop.send('/api/faucet', { address: wallet.address })
  expect(given.status).toBe(201)
  expect(await shop.chain.getBalance(wallet)).toBe(0n)
  return { wallet, ...payingFetch(wallet) }
}

const settledIn = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')

test('rents and opens a memory in two requests, and then in one', async () => {
  const id = await shop.offer({ rentalPricePerDay: '1000000' }, 'rented')
  const { wallet, pay, requests } = await newBuyer()
  const before = await shop.dollarsOf(wallet.address)
  const url = `${server.url}/api/x402/rent/${id}?durationDays=2&recipient=${wallet.address}`
  const headers = await proofHeaders(wallet, id)

  const first = await pay(url, { headers })
  expect(first.status).toBe(200)
  expect(await first.json()).toMatchObject({ data: { mood: 'rented' } })
  expect(first.headers.get('x-content-hash')).toMatch(/^0x/)
  expect(requests).toHaveLength(2)
  const { success, transaction, payer, network } = settledIn(first)
  expect([success, payer, network]).toEqual([true, wallet.address, 'eip155:31337'])
  const receipt = await shop.chain.getTransactionReceipt({ hash: transaction as Hex })
  expect(receipt.status).toBe('success')
  expect(await shop.dollarsOf(wallet.address)).toBe(before - 2_000_000n)

  const again = await pay(url, { headers })
  expect([again.status, requests.length]).toEqual([200, 3])
  expect(await shop.dollarsOf(wallet.address)).toBe(before - 2_000_000n)
})

test('buys in two requests, and learns where the memory is', async () => {
  const id = await shop.offer({ price: '7000000' })
  const { wallet, pay, requests } = await newBuyer()
  const before = await shop.dollarsOf(wallet.address)
  const bought = await pay(`${server.url}/api/x402/buy/${id}?recipient=${wallet.address}`)
  expect([bought.status, requests.length]).toEqual([200, 2])
  expect(await bought.json()).toEqual({
    act: 'buy',
    tokenId: id,
    recipient: wallet.address,
    txHash: settledIn(bought).transaction,
    memory: `/api/memory/${id}`,
  })
  expect(await shop.ownerOf(id)).toBe(wallet.address)
  expect(await shop.dollarsOf(wallet.address)).toBe(before - 7_000_000n)
})

test('forks and pays a royalty, each once for its name', async () => {
  const id = await shop.offer({ forkPrice: '3000000' })
  const { wallet, pay, requests } = await newBuyer()
  const before = await shop.dollarsOf(wallet.address)
  const path = `${server.url}/api/x402/fork/${id}?recipient=${wallet.address}`
  const fork = `${path}&price=3000000&maxRoyaltyBps=500&id=one`
  const forked = await pay(fork)
  const { childTokenId } = (await forked.json()) as { readonly childTokenId: string }
  expect([forked.status, requests.length]).toEqual([200, 2])
  expect(await shop.ownerOf(childTokenId)).toBe(wallet.address)
  expect(await (await pay(fork)).json()).toMatchObject({ childTokenId })
  expect(requests).toHaveLength(3)

  const royalty = `${server.url}/api/x402/royalty/${id}?refundTo=${wallet.address}&amount=50000&id=a`
  expect((await pay(royalty)).status).toBe(200)
  expect((await pay(royalty)).status).toBe(200)
  expect(await shop.dollarsOf(wallet.address)).toBe(before - 3_050_000n)
})

test('prolongs a rental that runs, once for each end', async () => {
  const id = await shop.offer({ rentalPricePerDay: '1000000' })
  const { wallet, pay } = await newBuyer()
  const path = `${server.url}/api/x402/rent/${id}?durationDays=1&recipient=${wallet.address}`
  const first = (await (await pay(path)).json()) as { readonly expiresAt: string }
  const renewed = await pay(`${path}&renew=${first.expiresAt}`)
  expect(renewed.status).toBe(200)
  const end = BigInt(first.expiresAt) + 86_400n
  expect(await shop.rentalOf(id, wallet.address)).toBe(end)
  expect((await pay(`${path}&renew=${first.expiresAt}`)).status).toBe(200)
  expect(await shop.rentalOf(id, wallet.address)).toBe(end)
})

test('a server whose relay is closed asks for an API key, and for no money', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'x402-'))
  const closed = await hostServer({ DATA_DIR: folder, API_KEYS: key })
  const response = await fetch(`${closed.url}/api/x402/buy/1?recipient=${newWallet().address}`)
  expect(response.status).toBe(401)
  await closed.end()
  rmSync(folder, { recursive: true })
})
