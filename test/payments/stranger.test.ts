import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parsePaymentRequired } from '@x402/core/schemas'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  withBazaar,
} from '@x402/extensions/bazaar'
import {
  createSIWxClientExtension,
  verifySIWxSignature,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { zeroAddress } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  decodeHeader,
  encodeHeader,
  newWallet,
  requiredBy,
  type Shop,
  shopAt,
  signPayment,
} from '../harness/payments/shop.ts'
import { type HostedServer, hostServer } from '../harness/process/server.ts'

const root = join(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'stranger-'))
let server: HostedServer
let shop: Shop
beforeAll(async () => {
  server = await hostServer({ DATA_DIR: home, FAUCET_PER_DAY: '0' })
  shop = await shopAt(server.url)
})
afterAll(async () => {
  await server.end()
  rmSync(home, { recursive: true })
})

const prices = { price: '3000000', rentalPricePerDay: '1000000', forkPrice: '2000000' }
const acts = { buy: '3000000', rent: '1000000', fork: '2000000', royalty: '10000' } as const
type Act = keyof typeof acts

const urlOf = (act: Act, id: string, query = '') => `${shop.url}/api/x402/${act}/${id}${query}`

type Extensions = { readonly bazaar: never; readonly 'sign-in-with-x': never }
type Declared = { readonly extensions: Extensions }
const declaredBy = (response: Response) => decodeHeader<Declared>(response, 'payment-required')

const problemOf = async (response: Response) =>
  (await response.json()) as { readonly code: string; readonly facts: object }

describe('a probe that knows nothing but a path', () => {
  const missing = {
    buy: 'recipient',
    rent: 'recipient, durationDays',
    fork: 'recipient, id, price, maxRoyaltyBps',
    royalty: 'recipient, id, amount',
  } as const

  test.each(Object.keys(acts) as Act[])(
    'of %s gets a 402 that the packages of the project take, and what is missing',
    async (act) => {
      const id = await shop.offer(prices)
      const response = await fetch(urlOf(act, id))
      const required = requiredBy(response)
      const { extensions } = declaredBy(response)
      expect(response.status).toBe(402)
      expect(parsePaymentRequired(required).success).toBe(true)
      expect(required.accepts[0]).toMatchObject({ amount: acts[act], payTo: zeroAddress })
      expect(required.resource.url).toBe(urlOf(act, id))
      expect(validateDiscoveryExtension(extensions.bazaar as never)).toEqual({ valid: true })
      expect(validateDiscoveryExtensionSpec(extensions.bazaar as never)).toEqual({ valid: true })
      expect(await problemOf(response)).toMatchObject({
        code: 'payment/incomplete',
        facts: { missing: missing[act] },
      })
      expect(required.error).toBe(`the query lacks ${missing[act]}`)
    },
  )

  test('is indexed with its URL and its input, as a facilitator does it', async () => {
    const id = await shop.offer(prices)
    const required = declaredBy(await fetch(urlOf('rent', id))) as never as {
      readonly accepts: readonly never[]
    }
    const paid = { ...required, accepted: required.accepts[0], payload: {} } as never
    const found = extractDiscoveryInfo(paid, required.accepts[0] as never)
    expect(found).toMatchObject({ resourceUrl: urlOf('rent', id), method: 'GET', x402Version: 2 })
    const queryParams = { recipient: expect.any(String), durationDays: expect.any(String) }
    expect(found?.discoveryInfo).toMatchObject({ input: { queryParams } })
  })

  test('gets a head that fits into what proxies take, also with a whole order', async () => {
    const [id, { address }] = [await shop.offer(prices), newWallet()]
    const named = `?recipient=${address}&refundTo=${address}&deadline=4102444800&id=${'i'.repeat(20)}`
    const fork = `${named}&price=${prices.forkPrice}&maxRoyaltyBps=500`
    const urls = [urlOf('fork', id, fork), urlOf('royalty', id, `${named}&amount=50000`)]
    const rent = `?recipient=${address}&refundTo=${address}&durationDays=30`
    for (const url of [...urls, urlOf('rent', id, rent)]) {
      const response = await fetch(url)
      expect(response.status).toBe(402)
      // Proxies commonly take 4 KB of all headers of an answer.
      expect((response.headers.get('payment-required') ?? '').length).toBeLessThan(3_700)
    }
  })

  test('for what is not offered, or is no token, finds no price', async () => {
    const id = await shop.offer({ rentalPricePerDay: '1000000' })
    const unoffered = await fetch(urlOf('buy', id))
    expect(requiredBy(unoffered).accepts[0]).toMatchObject({ amount: '0', payTo: zeroAddress })
    expect(Object.keys(declaredBy(unoffered).extensions)).toEqual(['sign-in-with-x'])
    expect(await problemOf(unoffered)).toMatchObject({ code: 'listing/not-for-sale' })
    expect(await problemOf(await fetch(urlOf('fork', id)))).toMatchObject({
      code: 'listing/not-for-fork',
    })
    expect((await fetch(urlOf('royalty', '99999'))).status).toBe(404)
    expect((await fetch(urlOf('rent', id, '?durationDays=400'))).status).toBe(400)
  })
})

describe('a payment that cannot be assigned', () => {
  test.each(['', '?durationDays=1', '?refundTo=', '?recipient='])(
    'takes no money: rent%s',
    async (query) => {
      const [ada, id] = [newWallet(), await shop.offer(prices)]
      await shop.fund(ada.address)
      const url = urlOf('rent', id, query.endsWith('=') ? query + ada.address : query)
      const header = await signPayment(ada, requiredBy(await fetch(url)))
      const reply = await fetch(url, { headers: { 'payment-signature': header } })
      expect([reply.status, requiredBy(reply).accepts[0].payTo]).toEqual([402, zeroAddress])
      // A stranger who saw the signature cannot use it either: no dollar goes to the zero address.
      await expect(shop.useEarly(header)).rejects.toThrow()
      expect(await shop.dollarsOf(ada.address)).toBe(100_000_000n)
      expect(await shop.rentalOf(id, ada.address)).toBe(0n)
    },
  )

  test('is not moved to another recipient, length or refund by a URL that leaves them out', async () => {
    const [ada, eve, id] = [newWallet(), newWallet(), await shop.offer(prices)]
    await shop.fund(ada.address)
    const full = urlOf('rent', id, `?durationDays=1&recipient=${ada.address}`)
    const header = await signPayment(ada, requiredBy(await fetch(full)))
    const others = ['?durationDays=2', `?durationDays=1&refundTo=${eve.address}`, '']
    for (const query of [...others, `?durationDays=1&recipient=${eve.address}`]) {
      const headers = { 'payment-signature': header }
      expect((await fetch(urlOf('rent', id, query), { headers })).status).toBe(402)
    }
    expect(await shop.dollarsOf(ada.address)).toBe(100_000_000n)
    const headers = { 'payment-signature': header }
    const paid = await fetch(urlOf('rent', id, '?durationDays=1'), { headers })
    expect(await paid.json()).toMatchObject({ act: 'rent', recipient: ada.address })
    expect(await shop.dollarsOf(eve.address)).toBe(0n)
  })
})

/** Returns the fetch of an unmodified client that pays, and counts what it paid. */
function payingFetch(wallet: PrivateKeyAccount, send: typeof fetch, isSigningIn = false) {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(wallet))
  const { chainId, dollar } = shop.deployment
  const allowedAssets = [{ network: `eip155:${chainId}` as const, asset: dollar.address }]
  client.setSpendControls({ allowedAssets })
  if (isSigningIn) client.registerExtension(createSIWxClientExtension({ signers: [wallet] }))
  return wrapFetchWithPayment(send, client)
}

async function newBuyer() {
  const wallet = newWallet()
  await shop.fund(wallet.address)
  return { wallet, spent: async () => 100_000_000n - (await shop.dollarsOf(wallet.address)) }
}

describe('a wallet that signs in', () => {
  test('is named by its signature, pays, and is let in by the next one', async () => {
    const id = await shop.offer(prices, 'signed in')
    const { wallet, spent } = await newBuyer()
    const signingIn = wrapFetchWithSIWx(fetch, wallet)
    const url = urlOf('rent', id, '?durationDays=2')
    const paid = await payingFetch(wallet, signingIn)(url)
    expect(await paid.json()).toMatchObject({ act: 'rent', recipient: wallet.address })
    expect(await spent()).toBe(2_000_000n)
    for (const again of [url, urlOf('rent', id), urlOf('rent', id, '?durationDays=9')]) {
      expect(await (await signingIn(again)).json()).toMatchObject({ data: { mood: 'signed in' } })
    }
    expect(await spent()).toBe(2_000_000n)
  })

  test('that owns the memory opens it by the extension of the client, and pays nothing', async () => {
    const id = await shop.offer(prices, 'owned')
    const { wallet, spent } = await newBuyer()
    const url = urlOf('buy', id, `?recipient=${wallet.address}`)
    const pay = payingFetch(wallet, fetch, true)
    expect((await pay(url)).status).toBe(200)
    expect(await spent()).toBe(3_000_000n)
    for (const act of ['buy', 'rent'] as const) {
      expect(await (await pay(urlOf(act, id))).json()).toMatchObject({ data: { mood: 'owned' } })
    }
    expect(await spent()).toBe(3_000_000n)
  })

  type Challenged = {
    readonly info: Readonly<Record<string, string>>
    readonly supportedChains: readonly [object]
  }
  type Payload = Readonly<Record<string, unknown>> & { readonly signature: string }

  /** Returns the sign-in that the client of the project sends to a URL. */
  async function signInAt(wallet: PrivateKeyAccount, url: string): Promise<Payload> {
    let header: string | null = null
    const send: typeof fetch = (input, init) => {
      header ??= new Request(input, init).headers.get('sign-in-with-x')
      return fetch(input, init)
    }
    await wrapFetchWithSIWx(send, wallet)(url)
    return JSON.parse(Buffer.from(header ?? '', 'base64').toString())
  }

  const openBy = async (url: string, payload: object) =>
    fetch(url, { headers: { 'sign-in-with-x': encodeHeader(payload) } })

  test('signs a challenge of this server, with a nonce of its own, that the project verifies', async () => {
    const [ada, id] = [newWallet(), await shop.offer(prices)]
    const challenges = await Promise.all(
      [1, 2].map(
        async () => declaredBy(await fetch(urlOf('rent', id))).extensions['sign-in-with-x'],
      ),
    )
    const [one, other] = challenges as unknown as readonly [Challenged, Challenged]
    expect(one.info).toMatchObject({ domain: new URL(shop.url).host, uri: urlOf('rent', id) })
    expect(one.info.nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(one.info.nonce).not.toBe(other.info.nonce)
    expect(one.supportedChains).toEqual([{ chainId: 'eip155:31337', type: 'eip191' }])
    const payload = await signInAt(ada, urlOf('rent', id))
    expect(await verifySIWxSignature(payload as never)).toMatchObject({ payer: ada.address })
  })

  test('opens nothing by a sign-in of another URL, of another account, or that is changed', async () => {
    const [id, other] = [await shop.offer(prices), await shop.offer(prices)]
    const { wallet, spent } = await newBuyer()
    const url = urlOf('rent', id)
    const pay = payingFetch(wallet, wrapFetchWithSIWx(fetch, wallet))
    for (const it of [id, other]) await pay(urlOf('rent', it, '?durationDays=1'))
    const own = await signInAt(wallet, url)
    expect((await openBy(url, own)).status).toBe(200)
    const eve = newWallet()
    const wrong: readonly (readonly [string, object])[] = [
      [urlOf('rent', other), own],
      [urlOf('buy', id), own],
      [urlOf('rent', id, '?durationDays=1'), own],
      [url, await signInAt(eve, url)],
      [url, { ...own, address: eve.address }],
      [url, { ...own, nonce: 'f'.repeat(32) }],
      [url, { ...own, issuedAt: '2020-01-01T00:00:00.000Z' }],
      [url, { ...own, signature: '0x12' }],
      [url, { ...own, address: 7 }],
      [url, []],
      [urlOf('rent', id, `?recipient=${eve.address}`), own],
    ]
    for (const [at, payload] of wrong) {
      const reply = await openBy(at, payload)
      expect([at, reply.status]).toEqual([at, 402])
    }
    const garbled = await fetch(url, { headers: { 'sign-in-with-x': 'no base64 at all' } })
    expect(requiredBy(garbled).error).toMatch(/^sign-in-with-x: /)
    expect(await spent()).toBe(2_000_000n)
  })

  test('without a right to what is not offered is refused, whatever else the query has', async () => {
    const [eve, id] = [newWallet(), await shop.offer({ price: prices.price })]
    const lacking = urlOf('rent', id)
    const signed = await openBy(lacking, await signInAt(eve, lacking))
    const whole = await fetch(urlOf('rent', id, `?durationDays=1&recipient=${eve.address}`))
    for (const reply of [signed, whole]) {
      const { code } = await problemOf(reply)
      expect([reply.status, code]).toEqual([409, 'listing/not-for-rent'])
    }
  })
})

test('what a 402 says does not follow the host that a request names', async () => {
  const id = await shop.offer(prices)
  const { hostname, port } = new URL(shop.url)
  const socket = connect(Number(port), hostname)
  const target = `http://evil.example/api/x402/rent/${id}`
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  const [, header] = /payment-required: (\S+)/i.exec(answer) ?? []
  expect(header === undefined ? '' : Buffer.from(header, 'base64').toString()).not.toContain('evil')
})

describe('the discovery list', () => {
  const bazaar = () =>
    withBazaar(new HTTPFacilitatorClient({ url: `${shop.url}/api/x402` })).extensions.bazaar
  const network = 'eip155:31337'

  test('names each offer once, page by page, and each is one that a client can ask for', async () => {
    for (const mood of ['one', 'two']) await shop.offer(prices, mood)
    const { items: all, pagination } = await bazaar().listResources({ limit: 100 })
    expect(pagination).toMatchObject({ limit: 100, offset: 0, total: all.length })
    const urls = all.map(({ resource }) => resource)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls).toContain(urlOf('fork', '1'))
    const pages = Array.from({ length: Math.ceil(urls.length / 7) }, (_, page) => 7 * page)
    const paged = await Promise.all(
      pages.map(async (offset) => (await bazaar().listResources({ limit: 7, offset })).items),
    )
    expect(paged.flat().map(({ resource }) => resource)).toEqual(urls)
    for (const item of [all[0], all.at(-1)]) {
      const response = await fetch(item?.resource ?? '')
      expect(requiredBy(response).accepts).toEqual(item?.accepts)
      expect(declaredBy(response).extensions.bazaar).toEqual(item?.extensions?.bazaar)
    }
  })

  test('is searched by the words of cards, and filtered as its clients ask', async () => {
    const memory = { data: { a: 1 }, metadata: { category: 'research' } }
    const card = { title: 'Zanzibar tides', category: 'research' }
    const minted = await shop.send('/api/memory/snapshot', { ...memory, card })
    const { tokenId } = (await minted.json()) as { readonly tokenId: string }
    await shop.list(tokenId, prices)
    const { resources } = await bazaar().search({ query: 'zanzibar', network })
    const own = ['rent', 'buy', 'fork'].map((act) => urlOf(act as Act, tokenId))
    expect(resources.map(({ resource }) => resource)).toEqual(own)
    expect(resources[0]?.description).toMatch(/: Zanzibar tides$/)
    const first = await bazaar().search({ query: 'zanzibar', limit: 1 })
    const next = await bazaar().search({ query: 'zanzibar', cursor: `${first.pagination?.cursor}` })
    expect(next.resources.map(({ resource }) => resource)).toEqual(own.slice(1))
    for (const it of [{ network: 'eip155:1' }, { type: 'mcp' }, { scheme: 'upto' }]) {
      expect((await bazaar().search({ query: 'zanzibar', ...it })).resources).toEqual([])
    }
  })

  test('refuses a cursor that it did not give, and a place that is too far', async () => {
    for (const query of ['cursor=sell.x', 'cursor=rent.%25', 'offset=1001', 'limit=101']) {
      const reply = await fetch(`${shop.url}/api/x402/discovery/resources?${query}`)
      expect([query, reply.status]).toEqual([query, 400])
    }
  })
})

test('the script of the guide finds, pays, opens and verifies a memory in five requests', async () => {
  const card = { title: 'Quokka habits', category: 'research' }
  const memory = { data: { seen: ['at dusk'] }, metadata: { category: 'research' } }
  const shown = { ...card, excerpts: ['/data/seen/0'] }
  const minted = await shop.send('/api/memory/snapshot', { ...memory, card: shown })
  const { tokenId } = (await minted.json()) as { readonly tokenId: string }
  await shop.list(tokenId, prices)
  const buyer = generatePrivateKey()
  const { address } = privateKeyToAccount(buyer)
  await shop.fund(address)

  const folder = mkdtempSync(join(tmpdir(), 'stranger-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const guide = readFileSync(join(root, 'docs/x402.md'), 'utf8')
  const [, script = ''] = /```js stranger\.mjs\n([\s\S]*?)```/.exec(guide) ?? []
  writeFileSync(join(folder, 'stranger.mjs'), script)
  const count =
    'const own = fetch; let count = 0\nglobalThis.fetch = (...it) => (count++, own(...it))\nprocess.on("exit", () => console.log(count))'
  writeFileSync(join(folder, 'count.mjs'), count)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/viem'), join(folder, 'node_modules/viem'))
  const words = [shop.url, buyer, 'quokka']
  const args = ['--import', './count.mjs', 'stranger.mjs', ...words]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })

  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/: Quokka habits 1000000$/),
    "[ 'at dusk' ]",
    "{ seen: [ 'at dusk' ] }",
    'as the chain records it',
    '5',
    '',
  ])
  expect(await shop.dollarsOf(address)).toBe(99_000_000n)
})
