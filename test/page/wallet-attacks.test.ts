import { type Card, encodeCard, type Hex, hash } from '@heirloom/core'
import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, type TypedDataDefinition } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { memoryRegistryAbi as abi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { createClient } from '../../packages/http/src/client/client.ts'
import { contentHashOf, hexOf, sha256 } from '../../packages/http/src/client/content-hash.ts'
import {
  type InterceptingProxy,
  interceptingProxy,
  type Reply,
} from '../../packages/http/test/intercepting-proxy.ts'
import {
  ben,
  keyOf,
  mintFor,
  startWalletHarness,
  type WalletHarness,
} from '../../packages/http/test/wallet-harness.ts'
import { type App, attackedKinds, openApp, Refused, type SealTerms } from './attacked-wallets.ts'

const salt = `0x${'12'.repeat(32)}` as const
const document = new TextEncoder().encode('{"data":{},"metadata":{"category":"test"}}')
const digest = `0x${'34'.repeat(32)}` as const
const other = `0x${'56'.repeat(32)}` as const
const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const registry = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const now = 1_700_000_000_000

const terms: SealTerms = {
  chainId: 31_337,
  registry,
  creator,
  parent: 7n,
  card: undefined,
  document,
  now,
}

const described: SealTerms = { ...terms, card: { title: 'A title' } }

const contentHash = await contentHashOf(salt, document)

const cardDigest = async (card: Card, of: Hex): Promise<Hex> =>
  hexOf(await sha256(new Uint8Array(encodeCard({ card, contentHash: hash(of) }))))

const item = { recipient: creator as Hex, contentHash, digest: digest as Hex, parent: 7n }

type Item = typeof item & { readonly card?: Hex | undefined }

/** Returns the call of a mint, encoded by the contracts' interface alone. */
function mint(changed: Partial<Item> = {}): Hex {
  const { card, ...of }: Item = { ...item, ...changed }
  if (card !== undefined) {
    return encodeFunctionData({ abi, functionName: 'mintDescribed', args: [[of], [card]] })
  }
  const args = [of.recipient, of.contentHash, of.digest, of.parent] as const
  return encodeFunctionData({ abi, functionName: 'mint', args })
}

/** Returns the honest answer of a server. */
async function honest({ card: shown, chainId, parent }: SealTerms) {
  const card = shown && (await cardDigest(shown, contentHash))
  const transaction = { chainId, to: registry, data: mint({ parent, card }), value: '0' }
  return {
    contentHash,
    salt,
    storageUri: `v2:ipfs://${digest}`,
    card: card ?? null,
    creator,
    chainId,
    registry,
    recipient: creator,
    parentTokenId: `${parent}`,
    expiresAt: now + 3_600_000,
    transaction,
  }
}

type Honest = Awaited<ReturnType<typeof honest>>

const withCall = (seal: Honest, changed: object) => ({
  ...seal,
  transaction: { ...seal.transaction, ...changed },
})

type Text = {
  readonly read: (seal: Honest) => string
  readonly write: (seal: Honest, text: string) => object
}

/** The texts of a seal that are hexadecimal, each after two other characters. */
const texts: Readonly<Record<string, Text>> = {
  data: {
    read: ({ transaction }) => transaction.data,
    write: (seal, data) => withCall(seal, { data }),
  },
  to: { read: ({ transaction }) => transaction.to, write: (seal, to) => withCall(seal, { to }) },
  ...Object.fromEntries(
    (['contentHash', 'salt', 'card', 'creator', 'registry', 'recipient'] as const).map((name) => [
      name,
      {
        read: (seal: Honest) => `${seal[name]}`,
        write: (seal, text) => ({ ...seal, [name]: text }),
      },
    ]),
  ),
}

const otherDocument = new TextEncoder().encode('{"data":{"mood":"bought"},"metadata":{}}')

const lies: Readonly<Record<string, (seal: Honest) => unknown>> = {
  'another chain': (seal) => ({ ...seal, chainId: 1 }),
  'a transaction for another chain': (seal) => withCall(seal, { chainId: 1 }),
  'another registry': (seal) => ({ ...seal, registry: stranger }),
  'a call of another contract': (seal) => withCall(seal, { to: stranger }),
  'a payment': (seal) => withCall(seal, { value: '1' }),
  'another creator': (seal) => ({ ...seal, creator: stranger }),
  'another owner': (seal) => ({ ...seal, recipient: stranger }),
  'another owner in the call too': (seal) => ({
    ...withCall(seal, { data: mint({ recipient: stranger }) }),
    recipient: stranger,
  }),
  'calldata with another owner': (seal) => withCall(seal, { data: mint({ recipient: stranger }) }),
  'another parent': (seal) => ({ ...seal, parentTokenId: '8' }),
  'calldata with another parent': (seal) => withCall(seal, { data: mint({ parent: 8n }) }),
  'another parent in the call too': (seal) => ({
    ...withCall(seal, { data: mint({ parent: 8n }) }),
    parentTokenId: '8',
  }),
  'a card': (seal) => ({ ...seal, card: other }),
  'calldata with a card': (seal) => withCall(seal, { data: mint({ card: other }) }),
  'a card in the call too': (seal) => ({
    ...withCall(seal, { data: mint({ card: other }) }),
    card: other,
  }),
  'another content hash': (seal) => ({ ...seal, contentHash: other }),
  'calldata with other content': (seal) => withCall(seal, { data: mint({ contentHash: other }) }),
  'another content': (seal) => ({
    ...withCall(seal, { data: mint({ contentHash: other }) }),
    contentHash: other,
  }),
  'the content of another document': async (seal) => {
    const found = await contentHashOf(salt, otherDocument)
    return { ...withCall(seal, { data: mint({ contentHash: found }) }), contentHash: found }
  },
  'another salt': (seal) => ({ ...seal, salt: other }),
  'no salt': ({ salt: _, ...seal }) => seal,
  'a salt that is none': (seal) => ({ ...seal, salt: '0x' }),
  'another storage': (seal) => ({ ...seal, storageUri: `v2:ipfs://${other}` }),
  'another blob in the call': (seal) => withCall(seal, { data: mint({ digest: other }) }),
  'no storage': (seal) => ({ ...seal, storageUri: 'https://example.org' }),
  'no content hash': (seal) => ({ ...seal, contentHash: '0x' }),
  'no time': (seal) => ({ ...seal, expiresAt: now }),
  'little time': (seal) => ({ ...seal, expiresAt: now + 119_999 }),
  'no end': (seal) => ({ ...seal, expiresAt: 'never' }),
  'bytes behind the call': (seal) => withCall(seal, { data: `${mint()}00` }),
  'no calldata': (seal) => withCall(seal, { data: '0x' }),
  'calldata that is none': (seal) => withCall(seal, { data: 7 }),
  'two mints': (seal) =>
    withCall(seal, {
      data: encodeFunctionData({ abi, functionName: 'mintBatch', args: [[item, item]] }),
    }),
  'an approval for all': (seal) =>
    withCall(seal, {
      data: encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [stranger, true] }),
    }),
  'no transaction': ({ transaction: _, ...seal }) => seal,
  'another shape': () => ({ ok: true }),
  'a list': () => [],
  nothing: () => null,
  'a text': () => 'sealed',
}

describe.each(attackedKinds)('$name', ({ accepts }) => {
  test('takes the seal that was asked for, with a card and without', async () => {
    for (const request of [terms, described]) {
      expect(await accepts(await honest(request), request)).toBe(true)
    }
    const justInTime = { ...(await honest(terms)), expiresAt: now + 120_000 }
    expect(await accepts(justInTime, terms)).toBe(true)
  })

  test.each(Object.keys(lies))('refuses a seal with %s', async (name) => {
    expect(await accepts(await lies[name]?.(await honest(terms)), terms)).toBe(false)
  })

  test('refuses a seal of which any one digit is another', async () => {
    const seal = await honest(described)
    const digits = Object.entries(texts).flatMap(([name, { read }]) =>
      [...read(seal)].flatMap((digit, at) =>
        /[0-9a-f]/.test(digit) && at > 1 ? [{ name, at }] : [],
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...digits),
        fc.integer({ min: 1, max: 15 }),
        async (of, by) => {
          const { read, write } = texts[of.name] as Text
          const text = read(seal)
          const digit = ((Number.parseInt(text[of.at] ?? '', 16) + by) % 16).toString(16)
          const lie = write(seal, `${text.slice(0, of.at)}${digit}${text.slice(of.at + 1)}`)
          expect(await accepts(lie, described)).toBe(false)
        },
      ),
    )
  })

  test('refuses another card, and none, than the one that was asked for', async () => {
    const elsewhere: SealTerms = { ...terms, card: { title: 'Another title' } }
    expect(await accepts(await honest(elsewhere), described)).toBe(false)
    expect(await accepts(await honest(terms), described)).toBe(false)
    expect(await accepts(await honest(described), terms)).toBe(false)
  })
})

const usd = 1_000_000n

let harness: WalletHarness
let proxy: InterceptingProxy
beforeAll(async () => {
  harness = await startWalletHarness({ API_KEYS: apiKey, OPEN_ACTS: 'seal,relay' })
  proxy = await interceptingProxy(harness.url)
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await harness?.close()
})
afterEach(() => {
  proxy.intercept((_, forward) => forward())
  vi.unstubAllGlobals()
})

const apiKey = 'a-key-of-some-length'
const operator = () => createClient({ url: harness.url, apiKey })

/** Opens the app of an account that has 100 dollars, whose node is behind the proxy. */
async function openPurse(key = generatePrivateKey()): Promise<App> {
  const app = openApp(key, `${proxy.url}/rpc`)
  await operator().faucet(app.account.address)
  return app
}

const unpriced = { price: '0', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }

/** Lists a new token of the server's wallet for rent, and returns the rental of two days. */
async function openRental() {
  const { tokenId } = await operator().snapshot({
    data: { mood: 'calm' },
    metadata: { category: 'research' },
  })
  const offer = (perDay: bigint, unit: 'dollars' | 'wei' = 'dollars') => {
    const prices = { price: '0', rentalPricePerDay: `${perDay}`, forkPrice: '0' }
    const listed = unit === 'wei' ? prices : { dollars: prices }
    return operator().list({ tokenId, ...unpriced, ...listed })
  }
  await offer(usd)
  return { offer, rental: { tokenId, seller: harness.agent as Hex, perDay: usd, days: 2 } }
}

/** Returns the dollars that an account has paid. */
async function paid({ account, request }: App): Promise<bigint> {
  const { dollar } = await harness.client.deployment()
  const args = [account.address] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  const held = await request('eth_call', [{ to: dollar?.address, data }, 'latest'])
  return 100n * usd - BigInt(held as Hex)
}

const answer = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': status < 300 ? 'application/json' : 'application/problem+json' },
  body: JSON.stringify(body),
})

const refusal = answer(409, { code: 'order/expired', detail: 'No.', facts: {}, retryable: false })

/** Has the relay of the server do what a test says. */
const relay = (act: (body: string, forward: () => Promise<Reply>) => Promise<Reply>) =>
  proxy.intercept(async ({ path, body }, forward) =>
    path === '/api/relay' ? act(`${body}`, forward) : forward(),
  )

/** Sends to the relay what a server held back. */
const post = async (body: string) => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${harness.url}/api/relay`, { method: 'POST', headers, body })
  return (await reply.json()) as { readonly txHash: Hex }
}

/** Has the node of the account answer the call of a view with something else. */
const answerView = (selector: Hex, reply: { readonly result: Hex } | { readonly error: object }) =>
  proxy.intercept(async ({ path, body }, forward) => {
    const isOfView = path === '/rpc' && `${body}`.includes(`"${selector}"`)
    if (!isOfView) return forward()
    const { id } = JSON.parse(`${body}`) as { readonly id: number }
    return answer(200, { jsonrpc: '2.0', id, ...reply })
  })

const validBefore = ({ message }: TypedDataDefinition) =>
  Number((message as { readonly validBefore: string }).validBefore)

describe.each(attackedKinds)('$name', ({ open }) => {
  test('signs one payment of exactly the price, which is valid for minutes', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental } = await openRental()
    await wallet.rent(rental)
    expect(await paid(app)).toBe(2n * usd)
    expect(app.signed).toMatchObject([{ primaryType: 'ReceiveWithAuthorization' }])
    expect(app.signed[0]?.message).toMatchObject({ value: `${2n * usd}` })
    const left = app.signed.map((it) => validBefore(it) - Date.now() / 1000)
    for (const seconds of left) expect([seconds > 0, seconds < 1800]).toEqual([true, true])
  })

  test('signs nothing for a price that rises after it was shown', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental, offer } = await openRental()
    const before = async () => void (await offer(2n * usd))
    await expect(wallet.rent({ ...rental, before })).rejects.toThrow(Refused)
    expect([app.signed.length, await paid(app)]).toEqual([0, 0n])
  })

  test('signs nothing for a currency that changes after it was shown', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental, offer } = await openRental()
    const before = async () => void (await offer(usd, 'wei'))
    await expect(wallet.rent({ ...rental, before })).rejects.toThrow(Refused)
    expect([app.signed.length, await paid(app)]).toEqual([0, 0n])
  })

  test.each([
    ['in another domain than it states', other],
    ['in a domain that it does not state', '0x'],
  ] as const)('signs nothing for a dollar that signs %s', async (_, stated) => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental } = await openRental()
    answerView('0x3644e515', { result: stated })
    await expect(wallet.rent(rental)).rejects.toThrow(Refused)
    proxy.intercept((__, forward) => forward())
    expect([app.signed.length, await paid(app)]).toEqual([0, 0n])
  })

  test('pays in a dollar that names its domain by its views alone, as USDC does', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental } = await openRental()
    answerView('0x84b0196e', { error: { code: 3, message: 'execution reverted', data: '0x' } })
    await wallet.rent(rental)
    proxy.intercept((_, forward) => forward())
    expect(await paid(app)).toBe(2n * usd)
  })

  test('does not believe a server that names the transaction of another act', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental, offer } = await openRental()
    const { txHash } = await offer(usd)
    relay(async () => answer(201, { txHash, act: 'rent' }))
    await expect(wallet.rent(rental)).rejects.toThrow(Refused)
    expect(await paid(app)).toBe(0n)
  })

  test.each([{ txHash: 7 }, { txHash: '0x' }, {}])(
    'does not wait for a transaction without a hash: %j',
    async (named) => {
      const app = await openPurse()
      const wallet = await open({ url: proxy.url, app })
      const { rental } = await openRental()
      relay(async () => answer(201, named))
      await expect(wallet.rent(rental)).rejects.toThrow(Refused)
      expect(await paid(app)).toBe(0n)
    },
  )

  test('pays once for an order that a server held back, whatever its price is then', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const { rental, offer } = await openRental()
    const held = new Set<string>()
    relay(async (body) => {
      held.add(body)
      return refusal
    })
    await expect(wallet.rent(rental)).rejects.toThrow(Refused)
    await offer(2n * usd)
    await expect(wallet.rent({ ...rental, perDay: 2n * usd })).rejects.toThrow(Refused)
    await offer(usd)
    for (const body of held) await post(body)
    expect([held.size, app.signed.length, await paid(app)]).toEqual([1, 1, 2n * usd])
  })

  test('does not take an earlier call, which took the place of its own, for its own', async () => {
    const app = await openPurse()
    const wallet = await open({ url: proxy.url, app })
    const tokenId = await mintFor({ client: operator() }, app.account)
    const held: string[] = []
    relay(async (body) => {
      held.push(body)
      return refusal
    })
    await expect(wallet.list({ tokenId, price: 5n })).rejects.toThrow(Refused)
    relay(async () => answer(201, await post(held[0] ?? '')))
    await expect(wallet.list({ tokenId, price: 7n })).rejects.toThrow(Refused)
    expect((await harness.client.listing(tokenId)).price).toBe('5')
    proxy.intercept((_, forward) => forward())
    await wallet.list({ tokenId, price: 7n })
    expect((await harness.client.listing(tokenId)).price).toBe('7')
  })

  test('does not believe an app that names another transaction than it sent', async () => {
    const app = await openPurse(keyOf(ben))
    const wallet = await open({ url: proxy.url, app })
    const tokenId = await mintFor({ client: operator() }, app.account)
    const { offer } = await openRental()
    const { txHash } = await offer(usd)
    app.answer = (method, honestly) => (method === 'eth_sendTransaction' ? txHash : honestly)
    await expect(wallet.list({ tokenId, price: 5n })).rejects.toThrow(Refused)
  })
})
