import { expect, test } from 'vitest'
import { type Interceptor, interceptingProxy, type Reply } from '../../test/intercepting-proxy.ts'
import {
  dollarsOf,
  inDollars,
  memory,
  newAccount,
  openPoor,
  unpriced,
  usd,
} from '../../test/poor-wallets.ts'
import type { SignedAct } from './wallet.ts'

type Relay = (forward: () => Promise<Reply>, body: string) => Promise<Reply | undefined>

const answer = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': status < 300 ? 'application/json' : 'application/problem+json' },
  body: JSON.stringify(body),
})

const refusal = answer(402, {
  code: 'relay/day-limit',
  detail: 'No more today.',
  retryable: false,
  facts: { whose: 'account', needed: '1', spent: '1', limit: '1' },
})

/** Opens a token that is for sale in dollars, and a buyer whose server does what a test says. */
async function openSale() {
  const harness = await openPoor()
  const seller = await harness.walletOf()
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...inDollars })
  const proxy = await interceptingProxy(harness.url)
  const relayed: string[] = []
  const intercept = (relay: Relay) => {
    const interceptor: Interceptor = async ({ path, body }, forward) => {
      if (path !== '/api/relay') return forward()
      relayed.push(`${body}`)
      return relay(forward, `${body}`)
    }
    proxy.intercept(interceptor)
  }
  // A seal names the host that it is for, so only the relay is behind the proxy.
  const viaProxy = (input: unknown, init?: RequestInit) => {
    const { href, pathname } = new URL(`${input}`)
    return fetch(pathname === '/api/relay' ? `${proxy.url}${pathname}` : href, init)
  }
  const options = { fetch: viaProxy as typeof fetch, retries: 0, timeout: 5_000 }
  const buyer = await harness.walletOf(newAccount(), options)
  const post = (body: string) =>
    fetch(`${harness.url}/api/relay`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
  const tokens = async () => (await harness.client.memories({ limit: 100 })).items.length
  return { ...harness, seller, buyer, tokenId, intercept, relayed, post, proxy, tokens, options }
}

const anything = `0x${'ab'.repeat(32)}`

test('a server that says that it sent, and did not, is found out, and gets the same bytes again', async () => {
  const { buyer, tokenId, intercept, relayed, ownerOf, proxy } = await openSale()
  intercept(async () => answer(201, { txHash: anything, act: 'buy' }))
  const hashes: string[] = []
  const key = { idempotencyKey: 'one', onSent: (hash: string) => hashes.push(hash) }
  const unconfirmed = { code: 'transaction/unconfirmed' }
  await expect(buyer.buy(tokenId, {}, key)).rejects.toMatchObject(unconfirmed)
  await expect(buyer.buy(tokenId, {}, key)).rejects.toMatchObject(unconfirmed)
  intercept((forward) => forward())
  const { txHash } = await buyer.buy(tokenId, {}, key)
  expect(await ownerOf(tokenId)).toBe(buyer.address)
  expect([new Set(relayed).size, relayed.length, hashes.length]).toEqual([1, 3, 1])
  expect(await buyer.confirm(hashes[0] as `0x${string}`)).toEqual({ txHash })
  expect(await dollarsOf(buyer)).toBe(95n * usd)
  await proxy[Symbol.asyncDispose]()
})

test.each<[string, Relay]>([
  ['loses each reply', async (forward) => void (await forward())],
  ['refuses what it sends', async (forward) => (await forward()) && refusal],
  [
    'names another transaction',
    async (forward) => (await forward()) && answer(201, { txHash: anything }),
  ],
  ['answers nonsense', async (forward) => (await forward()) && answer(201, { txHash: 7 })],
])('an act that a server sends succeeds, though it %s', async (_, relay) => {
  const { buyer, tokenId, intercept, ownerOf, client, proxy } = await openSale()
  intercept(relay)
  const child = await buyer.fork(tokenId, { maxDollars: 2n * usd })
  expect(await client.info(child.tokenId)).toMatchObject({ creator: buyer.address })
  const own = await buyer.snapshot(memory)
  expect(await ownerOf(own.tokenId)).toBe(buyer.address)
  expect(await dollarsOf(buyer)).toBe(98n * usd)
  await proxy[Symbol.asyncDispose]()
})

test('an order that a server held back and refused is the one that the next try pays', async () => {
  const { buyer, tokenId, intercept, relayed, post, proxy } = await openSale()
  const rent = () => buyer.rent(tokenId, { durationDays: 4 })
  intercept(async () => refusal)
  await expect(rent()).rejects.toMatchObject({ code: 'relay/day-limit' })
  await expect(rent()).rejects.toMatchObject({ code: 'relay/day-limit' })
  expect((await buyer.balance()).dollars).toMatchObject({ spentToday: `${usd}` })
  // The server sends it after all, when nobody expects it any more.
  for (const body of relayed) expect((await post(body)).status).toBe(201)
  intercept((forward) => forward())
  await rent()
  expect([await dollarsOf(buyer), new Set(relayed).size]).toEqual([99n * usd, 1])
  await rent()
  expect([await dollarsOf(buyer), new Set(relayed).size]).toEqual([98n * usd, 2])
  await proxy[Symbol.asyncDispose]()
})

test('an order that was held back is paid at no second price, though its seller offers both', async () => {
  const { seller, buyer, tokenId, intercept, relayed, post, proxy } = await openSale()
  const offer = (rentalPricePerDay: bigint, forkPrice: bigint) => {
    const dollars = { ...inDollars.dollars, rentalPricePerDay, forkPrice }
    return seller.list({ tokenId, ...inDollars, dollars })
  }
  const rent = () => buyer.rent(tokenId, { durationDays: 4 }, { idempotencyKey: 'rent' })
  const fork = () => buyer.fork(tokenId, {}, { idempotencyKey: 'fork' })
  intercept(async () => refusal)
  for (const act of [rent, fork]) await expect(act()).rejects.toMatchObject({ status: 402 })
  await offer(usd / 2n, usd)
  intercept((forward) => forward())
  const changed = { code: 'listing/price-changed' }
  for (const act of [rent, fork]) await expect(act()).rejects.toMatchObject(changed)
  await offer(usd / 4n, 2n * usd)
  for (const body of relayed) expect((await post(body)).status).toBe(201)
  for (const act of [rent, fork]) await act()
  expect([await dollarsOf(buyer), new Set(relayed).size]).toEqual([97n * usd, 2])
  await proxy[Symbol.asyncDispose]()
})

test('an order that a server calls expired while it holds it back is paid once', async () => {
  const { buyer, tokenId, intercept, relayed, post, proxy } = await openSale()
  const rent = () => buyer.rent(tokenId, { durationDays: 4 })
  const expired = { code: 'order/expired', detail: 'Too late.', facts: {}, retryable: false }
  intercept(async () => answer(409, expired))
  await expect(rent()).rejects.toMatchObject({ code: 'order/expired' })
  await expect(rent()).rejects.toMatchObject({ code: 'order/expired' })
  for (const body of relayed) expect((await post(body)).status).toBe(201)
  intercept((forward) => forward())
  await rent()
  expect([await dollarsOf(buyer), new Set(relayed).size]).toEqual([99n * usd, 1])
  await proxy[Symbol.asyncDispose]()
})

test('a call that a server held back can take the place of the next one, and not be added to it', async () => {
  const { seller, walletOf, tokenId, intercept, post, relayed, proxy, options } = await openSale()
  await seller.list({ tokenId, ...unpriced })
  const wallet = await walletOf(seller.account, options)
  intercept(async () => refusal)
  const first = wallet.list({ tokenId, ...unpriced, price: 5n })
  await expect(first).rejects.toMatchObject({ code: 'relay/day-limit' })
  intercept(async () => (await post(relayed[0] ?? '')) && refusal)
  const second = wallet.list({ tokenId, ...unpriced, price: 7n }, { idempotencyKey: 'two' })
  await expect(second).rejects.toMatchObject({ code: 'relay/failed' })
  expect((await wallet.listing(tokenId)).price).toBe('5')
  intercept((forward) => forward())
  await wallet.list({ tokenId, ...unpriced, price: 7n }, { idempotencyKey: 'two' })
  expect((await wallet.listing(tokenId)).price).toBe('7')
  await proxy[Symbol.asyncDispose]()
})

test('what a killed process signed is confirmed by the next one, from what it stored', async () => {
  const { buyer, walletOf, tokenId, intercept, post, proxy, options } = await openSale()
  intercept(async () => undefined)
  const stored: SignedAct[] = []
  const onSent = (_: string, signed?: SignedAct) => signed && stored.push(signed)
  const unconfirmed = { code: 'transaction/unconfirmed' }
  await expect(buyer.snapshot(memory, { onSent })).rejects.toMatchObject(unconfirmed)
  await expect(buyer.rent(tokenId, { durationDays: 1 }, { onSent })).rejects.toMatchObject(
    unconfirmed,
  )
  const [minted, rented] = JSON.parse(JSON.stringify(stored)) as readonly [SignedAct, SignedAct]
  expect((await post(JSON.stringify(minted.body))).status).toBe(201)
  const next = await walletOf(buyer.account, options)
  expect(await next.confirm(minted)).toMatchObject({ tokenId: expect.stringMatching(/^\d+$/) })
  await expect(next.confirm(rented)).rejects.toMatchObject(unconfirmed)
  intercept((forward) => forward())
  expect(await next.confirm(rented)).toMatchObject({ expiresAt: expect.any(String) })
  await proxy[Symbol.asyncDispose]()
})

test('a callback that cannot store what was signed stops the act before the server has it', async () => {
  const { buyer, tokenId, relayed, intercept, proxy } = await openSale()
  intercept((forward) => forward())
  const onSent = () => {
    throw new Error('The disk is full.')
  }
  await expect(buyer.buy(tokenId, {}, { onSent })).rejects.toThrow('The disk is full.')
  await expect(buyer.snapshot(memory, { onSent })).rejects.toThrow('The disk is full.')
  expect(relayed).toEqual([])
  await proxy[Symbol.asyncDispose]()
})

test('a currency or a price that changes under a buyer costs nothing', async () => {
  const { seller, buyer, tokenId, intercept, proxy } = await openSale()
  const dearer = { ...inDollars, dollars: { ...inDollars.dollars, price: 6n * usd } }
  const before = (terms: object) =>
    intercept(async (forward) => {
      await seller.list({ tokenId, ...unpriced, ...terms })
      return forward()
    })
  before(dearer)
  await expect(buyer.buy(tokenId)).rejects.toMatchObject({
    code: 'listing/price-changed',
    facts: { price: `${6n * usd}`, offered: `${5n * usd}`, currency: 'dollar' },
  })
  before({ price: 6n })
  const changed = { code: 'listing/currency-changed' }
  await expect(buyer.buy(tokenId)).rejects.toMatchObject(changed)
  await expect(buyer.buy(tokenId, { maxDollars: 9n * usd })).rejects.toMatchObject(changed)
  await expect(buyer.buy(tokenId)).rejects.toMatchObject({ code: 'relay/not-allowed' })
  await seller.list({ tokenId, ...inDollars })
  await expect(buyer.buy(tokenId, { maxPrice: 9n * usd })).rejects.toMatchObject(changed)
  await expect(buyer.buy(tokenId, { maxDollars: 5n * usd - 1n })).rejects.toMatchObject({
    code: 'listing/over-max-price',
    facts: { price: `${5n * usd}`, maxPrice: `${5n * usd - 1n}`, currency: 'dollar' },
  })
  expect(await dollarsOf(buyer)).toBe(100n * usd)
  await proxy[Symbol.asyncDispose]()
})

test('a wallet stays within its limits in dollars, and within its balance', async () => {
  const { tokenId, walletOf, options, intercept, proxy } = await openSale()
  intercept((forward) => forward())
  const dollars = { perCall: 5n * usd, perDay: 6n * usd }
  const wallet = await walletOf(newAccount(), { ...options, limits: { dollars } })
  await expect(wallet.rent(tokenId, { durationDays: 21 })).rejects.toMatchObject({
    code: 'wallet/call-limit',
    facts: { needed: '5250000', limit: '5000000', currency: 'dollar' },
  })
  await wallet.rent(tokenId, { durationDays: 5 })
  await expect(wallet.buy(tokenId)).rejects.toMatchObject({ code: 'wallet/day-limit' })
  expect((await wallet.balance()).dollars).toMatchObject({
    spentToday: '1250000',
    maxSpendPerCall: '5000000',
    maxSpendPerDay: '6000000',
  })
  const poor = await walletOf(newAccount(), options)
  await expect(poor.royalty(tokenId, { dollars: 101n * usd })).rejects.toMatchObject({
    code: 'wallet/short',
    facts: { balance: `${100n * usd}`, needed: `${101n * usd}`, currency: 'dollar' },
  })
  await expect(poor.royalty(tokenId, { amount: 1n })).rejects.toMatchObject({
    code: 'relay/not-allowed',
  })
  await proxy[Symbol.asyncDispose]()
})
