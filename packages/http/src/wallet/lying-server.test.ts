import { encodeAct } from '@heirloom/adapters/internal/acts'
import { encodeCard, type Hash } from '@heirloom/core'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { interceptingProxy, type Reply } from '../../test/intercepting-proxy.ts'
import {
  ada,
  ben,
  mintFor,
  startWalletHarness,
  type WalletHarness,
} from '../../test/wallet-harness.ts'
import { contentHashOf, hexOf, sha256 } from '../client/content-hash.ts'

let harness: WalletHarness
beforeAll(async () => {
  harness = await startWalletHarness()
})
afterAll(() => harness.close())

/** Returns an account that counts its signatures. */
function countingAccount(account = ada) {
  const signed = { messages: 0, transactions: 0 }
  return {
    signed,
    account: {
      address: account.address,
      signMessage: (input: { readonly message: string }) => {
        signed.messages += 1
        return account.signMessage(input)
      },
      signTransaction: ((...input: Parameters<typeof account.signTransaction>) => {
        signed.transactions += 1
        return account.signTransaction(...input)
      }) as typeof account.signTransaction,
    },
  }
}

/** Starts a proxy that answers a request for a deployment with other members. */
async function lyingServer(url: string, lie: object) {
  const proxy = await interceptingProxy(url)
  proxy.intercept(async ({ path }, forward) => {
    const reply = await forward()
    if (path !== '/api/deployment') return reply
    return { ...reply, body: JSON.stringify({ ...JSON.parse(`${reply.body}`), ...lie }) }
  })
  return proxy
}

const someone = ben.address

test.each([
  ['another registry', { registry: someone }, 'client/foreign-contracts'],
  ['another dollar', { dollar: { address: someone } }, 'client/foreign-contracts'],
  ['a marketplace without code', { marketplace: someone }, 'client/foreign-contracts'],
  ['a public chain, simulated by itself', { chainId: 1 }, 'client/no-node'],
])('a server that names %s gets no signature', async (_, lie, code) => {
  const { url, walletOf } = harness
  await using server = await lyingServer(url, lie)
  const { account, signed } = countingAccount()
  await expect(walletOf(account as never, { url: server.url })).rejects.toMatchObject({ code })
  expect(signed).toEqual({ messages: 0, transactions: 0 })
})

test('a contract that is not the marketplace is refused, also when it exists', async () => {
  const { url, walletOf, client } = harness
  const { registry, marketplace } = await client.deployment()
  await using server = await lyingServer(url, { marketplace: registry, registry: marketplace })
  await expect(walletOf(ada, { url: server.url })).rejects.toMatchObject({
    code: 'client/foreign-contracts',
    facts: { marketplace: registry },
  })
})

test('the node must be on the chain that the server names', async () => {
  const { url, walletOf } = harness
  await using server = await lyingServer(url, { chainId: 1 })
  await expect(walletOf(ada, { url: server.url, rpcUrl: `${url}/rpc` })).rejects.toMatchObject({
    code: 'client/wrong-chain',
    facts: { chainId: 31337, expected: 1 },
  })
})

test('a genuine pair is refused when another one is expected', async () => {
  const { walletOf, client } = harness
  const { registry } = await client.deployment()
  await walletOf(ada, { registry: registry as Hex })
  await expect(walletOf(ada, { registry: someone })).rejects.toMatchObject({
    code: 'client/foreign-contracts',
  })
})

test('the price is that of the chain, whatever the server says', async () => {
  const { url, walletOf, balanceOf } = harness
  const tokenId = await mintFor(harness, ada)
  const terms = { tokenId, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await (await walletOf(ada)).list({ ...terms, price: 10n ** 18n })
  await using server = await interceptingProxy(url)
  server.intercept(async ({ path }, forward) => {
    const reply = await forward()
    const body = `${reply.body}`.replaceAll('1000000000000000000', '1')
    return path.includes('/api/') ? { ...reply, body } : reply
  })
  const wallet = await walletOf(ben, { url: server.url })
  const before = await balanceOf(ben.address)
  expect((await wallet.listing(tokenId)).price).toBe(`${10n ** 18n}`)
  await expect(wallet.buy(tokenId, { maxPrice: 1n })).rejects.toMatchObject({
    code: 'listing/over-max-price',
    facts: { price: `${10n ** 18n}`, maxPrice: '1' },
  })
  expect(await balanceOf(ben.address)).toBe(before)
})

/** Returns the content hash of a memory under a salt. */
const hashUnder = async (salt: Hex, memory: object) =>
  (await contentHashOf(salt, new TextEncoder().encode(JSON.stringify(memory)))) as Hash

const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
const card = { title: 'A calm agent' }
const salt = `0x${'1a'.repeat(32)}` as Hex
const contentHash = await hashUnder(salt, memory)
const digest = `0x${'2b'.repeat(32)}` as const

const cardDigestOf = async (contentHash: Hash) =>
  hexOf(await sha256(new Uint8Array(encodeCard({ card, contentHash }))))

/** Returns the honest answer to a request for a seal of `memory` with its card by Ada. */
async function honestSeal({ client }: Pick<WalletHarness, 'client'>) {
  const { chainId, registry, marketplace } = await client.deployment()
  const pair = { registry: registry as Hex, marketplace: marketplace as Hex }
  const cardDigest = await cardDigestOf(contentHash)
  const item = { recipient: ada.address, contentHash, digest, parent: 0n, card: cardDigest }
  const mint = (more: object) => encodeAct(pair, { kind: 'mint', ...item, ...more }).data
  const transaction = { chainId, to: registry, data: mint({}), value: '0' }
  const seal = {
    contentHash,
    salt,
    storageUri: `v2:ipfs://${digest}`,
    card: cardDigest,
    creator: ada.address,
    chainId,
    registry,
    recipient: ada.address,
    parentTokenId: '0',
    expiresAt: Date.now() + 3_600_000,
    transaction,
  }
  return { seal, mint, transaction }
}

type Honest = Awaited<ReturnType<typeof honestSeal>>

/** Starts a proxy that answers each request for a seal. */
async function sealingServer(url: string, answer: () => object | Promise<object>) {
  const proxy = await interceptingProxy(url)
  proxy.intercept(async ({ path }, forward): Promise<Reply> => {
    if (path !== '/api/memory/seal') return forward()
    const headers = { 'content-type': 'application/json' }
    return { status: 201, headers, body: JSON.stringify(await answer()) }
  })
  return proxy
}

const other = `0x${'3c'.repeat(32)}`

/** One lie of each kind; test/page/wallet-attacks.test.ts has all of them. */
const lies: Readonly<Record<string, (honest: Honest) => object | Promise<object>>> = {
  'another recipient': ({ seal, transaction, mint }) => ({
    ...seal,
    recipient: someone,
    transaction: { ...transaction, data: mint({ recipient: someone }) },
  }),
  'another card': ({ seal, transaction, mint }) => ({
    ...seal,
    transaction: { ...transaction, data: mint({ card: other }) },
  }),
  'an end that is over': ({ seal }) => ({ ...seal, expiresAt: Date.now() }),
  'the content of another document': async ({ seal, transaction, mint }) => {
    const contentHash = await hashUnder(salt, { ...memory, data: { mood: 'bought' } })
    const card = await cardDigestOf(contentHash)
    const data = mint({ contentHash, card })
    return { ...seal, contentHash, card, transaction: { ...transaction, data } }
  },
  'an answer of another shape': () => ({ ok: true }),
}

test('an honest seal is minted by the account, with a call of its own encoding', async () => {
  const { seal } = await honestSeal(harness)
  await using server = await sealingServer(harness.url, () => seal)
  const { account, signed } = countingAccount()
  const wallet = await harness.walletOf(account as never, { url: server.url })
  const minted = await wallet.snapshot({ ...memory, card, salt })
  expect(minted).toMatchObject({ contentHash, storageUri: seal.storageUri })
  const record = await harness.client.info(minted.tokenId)
  expect(record).toMatchObject({ creator: ada.address, contentHash, parent: '0' })
  expect(signed).toEqual({ messages: 1, transactions: 1 })
  const { headers } = server.requests.find(({ path }) => path.endsWith('/seal')) ?? {}
  expect(headers).toMatchObject({
    'x-wallet-address': ada.address,
    'x-timestamp': expect.stringMatching(/^[0-9]+$/),
    'content-digest': expect.stringMatching(/^sha-256=:[A-Za-z0-9+/]{43}=:$/),
  })
})

test.each(Object.keys(lies))('a seal with %s is not signed', async (name) => {
  const honest = await honestSeal(harness)
  await using server = await sealingServer(harness.url, () => lies[name]?.(honest) ?? {})
  const { account, signed } = countingAccount()
  const wallet = await harness.walletOf(account as never, { url: server.url })
  await expect(wallet.snapshot({ ...memory, card, salt })).rejects.toMatchObject({
    code: 'client/not-as-requested',
  })
  expect(signed.transactions).toBe(0)
})

test('a seal under another salt than the requested one is not signed', async () => {
  const { seal } = await honestSeal(harness)
  await using server = await sealingServer(harness.url, () => seal)
  const wallet = await harness.walletOf(ada, { url: server.url })
  await expect(wallet.snapshot({ ...memory, card, salt: other as Hex })).rejects.toMatchObject({
    code: 'client/not-as-requested',
    facts: { problem: 'it has another salt, or none, to verify its content with' },
  })
})

test('a version whose parent another account made is not signed', async () => {
  const parent = await mintFor(harness, ben)
  const { seal, mint, transaction } = await honestSeal(harness)
  const data = mint({ parent: BigInt(parent) })
  const lie = { ...seal, parentTokenId: parent, transaction: { ...transaction, data } }
  await using server = await sealingServer(harness.url, () => lie)
  const wallet = await harness.walletOf(ada, { url: server.url })
  const version = wallet.snapshot({ ...memory, card, salt, name: 'ada' })
  await expect(version).rejects.toMatchObject({
    code: 'client/not-as-requested',
    facts: { problem: 'it names another parent' },
  })
})
