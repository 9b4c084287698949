import { memoryStore } from '@heirloom/adapters/internal/wallet'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type Interceptor, interceptingProxy } from '../../test/intercepting-proxy.ts'
import { ada, ben, mintFor, openWalletHarness } from '../../test/wallet-harness.ts'

const free = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }

/** Opens Ben's wallet behind a proxy of the node, and a token of Ada that is for sale. */
async function openSale() {
  const harness = await openWalletHarness()
  const { url, walletOf, node } = harness
  const tokenId = await mintFor(harness, ada)
  const seller = await walletOf(ada)
  await seller.list({ ...free, tokenId, price: 1000n })
  const proxy = await interceptingProxy(url)
  const buyer = await walletOf(ben, { rpcUrl: `${proxy.url}/rpc`, timeout: 120_000 })
  const nonceOf = () => node.getTransactionCount({ address: ben.address })
  return { ...harness, tokenId, seller, buyer, proxy, nonceOf }
}

const methodOf = ({ body }: Parameters<Interceptor>[0]): string => JSON.parse(`${body}`).method

test('a price that rises before the simulation costs nothing', async () => {
  const { seller, buyer, proxy, tokenId, nonceOf } = await openSale()
  proxy.intercept(async (request, forward) => {
    if (methodOf(request) === 'eth_estimateGas') {
      await seller.list({ ...free, tokenId, price: 2000n })
    }
    return forward()
  })
  await expect(buyer.buy(tokenId)).rejects.toMatchObject({
    code: 'listing/price-changed',
    facts: { price: '2000', offered: '1000' },
  })
  expect(await nonceOf()).toBe(0)
  await proxy[Symbol.asyncDispose]()
})

test('a price that rises before the block costs the fees alone', async () => {
  const { seller, buyer, proxy, tokenId, nonceOf, ownerOf, balanceOf } = await openSale()
  proxy.intercept(async (request, forward) => {
    if (methodOf(request) === 'eth_sendRawTransaction') {
      await seller.list({ ...free, tokenId, price: 2000n })
    }
    return forward()
  })
  const before = await balanceOf(ada.address)
  await expect(buyer.buy(tokenId)).rejects.toMatchObject({ code: 'listing/price-changed' })
  expect(await nonceOf()).toBe(1)
  expect(await ownerOf(tokenId)).toBe(ada.address)
  expect(await balanceOf(ada.address)).toBeLessThanOrEqual(before)
  await proxy[Symbol.asyncDispose]()
})

test('a node that dies after it took the transaction leaves its hash, and nothing is sent twice', async () => {
  const { buyer, proxy, tokenId, nonceOf, ownerOf } = await openSale()
  let isDead = false
  proxy.intercept(async (request, forward) => {
    if (isDead) return undefined
    const isSent = methodOf(request) === 'eth_sendRawTransaction'
    const reply = await forward()
    isDead = isSent
    return isSent ? undefined : reply
  })
  const hashes: Hex[] = []
  const options = { idempotencyKey: 'one', onSent: (txHash: Hex) => hashes.push(txHash) }
  const failure = await buyer.buy(tokenId, {}, options).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'transaction/unconfirmed',
    facts: { txHash: hashes[0] },
    retryable: false,
  })
  isDead = false
  proxy.intercept((_, forward) => forward())
  expect(await buyer.confirm(hashes[0] ?? '0x')).toEqual({ txHash: hashes[0] })
  expect(await buyer.buy(tokenId, {}, options)).toEqual({ txHash: hashes[0] })
  expect(await nonceOf()).toBe(1)
  expect(hashes).toHaveLength(1)
  expect(await ownerOf(tokenId)).toBe(ben.address)
  await proxy[Symbol.asyncDispose]()
})

test('a transaction that never arrived is sent again with the same bytes, once', async () => {
  const { buyer, proxy, tokenId, nonceOf } = await openSale()
  let isDead = false
  const sent: string[] = []
  proxy.intercept(async (request, forward) => {
    if (methodOf(request) === 'eth_sendRawTransaction') sent.push(`${request.body}`)
    isDead ||= sent.length > 0
    return isDead ? undefined : forward()
  })
  const options = { idempotencyKey: 'one' }
  await expect(buyer.buy(tokenId, {}, options)).rejects.toMatchObject({
    code: 'transaction/unconfirmed',
  })
  expect(await nonceOf()).toBe(0)
  proxy.intercept((request, forward) => {
    if (methodOf(request) === 'eth_sendRawTransaction') sent.push(`${request.body}`)
    return forward()
  })
  await buyer.buy(tokenId, {}, options)
  expect(await nonceOf()).toBe(1)
  expect(new Set(sent.map((body) => JSON.parse(body).params[0])).size).toBe(1)
  await proxy[Symbol.asyncDispose]()
})

test('an act is made anew under its key once another one has taken its nonce, and not before', async () => {
  const { url, proxy, tokenId, nonceOf, ownerOf, walletOf } = await openSale()
  const [node, store] = [`${proxy.url}/rpc`, memoryStore()]
  const buyer = await walletOf(ben, { rpcUrl: node, store: () => store, timeout: 50 })
  proxy.intercept(async (request, forward) =>
    methodOf(request) === 'eth_sendRawTransaction' ? undefined : forward(),
  )
  const options = { idempotencyKey: 'one' }
  const isOpen = { code: 'transaction/unconfirmed' }
  const first = await buyer.buy(tokenId, {}, options).catch((error: unknown) => error)
  expect(first).toMatchObject(isOpen)
  await expect(buyer.buy(tokenId, {}, options)).rejects.toMatchObject({
    ...isOpen,
    facts: Object(first).facts,
  })
  const other = await walletOf(ben, { rpcUrl: `${url}/rpc` })
  await other.royalty(tokenId, { amount: 5n })
  proxy.intercept((_, forward) => forward())
  const { txHash } = await buyer.buy(tokenId, {}, options)
  expect(txHash).not.toBe(Object(first).facts.txHash)
  expect(await buyer.buy(tokenId, {}, options)).toEqual({ txHash })
  expect([await nonceOf(), await ownerOf(tokenId)]).toEqual([2, ben.address])
  await proxy[Symbol.asyncDispose]()
})

test('a snapshot that was not sent in time is sealed anew under its key, and minted once', async () => {
  const { proxy, client, nonceOf, walletOf } = await openSale()
  const store = memoryStore()
  const { acts } = store
  const late: typeof acts.get = (key) => {
    const act = acts.get(key)
    return act && 'signedAt' in act ? { ...act, signedAt: act.signedAt - 660_000 } : act
  }
  const aged = { ...store, acts: { ...acts, get: late } }
  const paths: string[] = []
  const wallet = await walletOf(ben, {
    rpcUrl: `${proxy.url}/rpc`,
    store: () => aged,
    timeout: 50,
    fetch: (input, init) => {
      paths.push(new URL(String(input)).pathname)
      return fetch(input, init)
    },
  })
  proxy.intercept(async (request, forward) =>
    methodOf(request) === 'eth_sendRawTransaction' ? undefined : forward(),
  )
  const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
  const options = { idempotencyKey: 'one' }
  const isOpen = { code: 'transaction/unconfirmed' }
  await expect(wallet.snapshot(memory, options)).rejects.toMatchObject(isOpen)
  proxy.intercept((_, forward) => forward())
  const minted = await wallet.snapshot(memory, options)
  expect(paths.filter((it) => it === '/api/memory/seal')).toHaveLength(2)
  expect(await wallet.snapshot(memory, options)).toMatchObject({ tokenId: minted.tokenId })
  expect(await nonceOf()).toBe(1)
  expect((await client.info(minted.tokenId)).creator).toBe(ben.address)
  await proxy[Symbol.asyncDispose]()
})

test('a key returns its first result, and no other act may use it', async () => {
  const { buyer, tokenId, nonceOf, proxy } = await openSale()
  const options = { idempotencyKey: 'one' }
  const both = await Promise.all([buyer.buy(tokenId, {}, options), buyer.buy(tokenId, {}, options)])
  expect(both[0]).toEqual(both[1])
  expect(await buyer.buy(tokenId, {}, options)).toEqual(both[0])
  expect(await nonceOf()).toBe(1)
  const reused = { code: 'idempotency/key-reused' }
  await expect(buyer.buy(tokenId, { maxPrice: 1n }, options)).rejects.toMatchObject(reused)
  const transfer = buyer.transfer(tokenId, { to: ada.address }, options)
  await expect(transfer).rejects.toMatchObject(reused)
  await proxy[Symbol.asyncDispose]()
})

test('the key of an act that failed without effect is free again', async () => {
  const { seller, buyer, tokenId, proxy } = await openSale()
  await seller.list({ ...free, tokenId })
  const options = { idempotencyKey: 'one' }
  const refused = { code: 'listing/not-for-sale' }
  await expect(buyer.buy(tokenId, {}, options)).rejects.toMatchObject(refused)
  await seller.list({ ...free, tokenId, price: 5n })
  await buyer.buy(tokenId, {}, options)
  await proxy[Symbol.asyncDispose]()
})

test('acts that start at the same time get one nonce each', async () => {
  const { buyer, nonceOf, client, proxy, ...harness } = await openSale()
  const ids = [await mintFor({ client }, ben), await mintFor({ client }, ben)]
  const wallet = await harness.walletOf(ben)
  await Promise.all(ids.map((tokenId) => wallet.list({ ...free, tokenId, price: 3n })))
  expect(await nonceOf()).toBe(2)
  await proxy[Symbol.asyncDispose]()
})

test('an abort before the signature sends nothing, and one after it leaves the hash', async () => {
  const { buyer, tokenId, nonceOf, proxy } = await openSale()
  const early = buyer.buy(tokenId, {}, { signal: AbortSignal.abort() })
  await expect(early).rejects.toMatchObject({ code: 'client/aborted' })
  expect(await nonceOf()).toBe(0)
  const late = new AbortController()
  const hashes: Hex[] = []
  const act = buyer.buy(
    tokenId,
    {},
    {
      signal: late.signal,
      onSent: (txHash) => {
        hashes.push(txHash)
        late.abort()
      },
    },
  )
  await expect(act).rejects.toMatchObject({
    code: 'transaction/unconfirmed',
    facts: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  })
  await buyer.confirm(hashes[0] ?? '0x')
  await proxy[Symbol.asyncDispose]()
})

test('a callback that cannot store the hash stops the act before it is sent', async () => {
  const { buyer, tokenId, nonceOf, proxy } = await openSale()
  const onSent = () => {
    throw new Error('The disk is full.')
  }
  await expect(buyer.buy(tokenId, {}, { onSent })).rejects.toThrow('The disk is full.')
  expect(await nonceOf()).toBe(0)
  await proxy[Symbol.asyncDispose]()
})

test('a wallet stays within its limits, fees included', async () => {
  const { tokenId, walletOf, nonceOf, proxy } = await openSale()
  const poor = await walletOf(ben, { limits: { perCall: 1000n } })
  await expect(poor.buy(tokenId)).rejects.toMatchObject({
    code: 'wallet/call-limit',
    facts: { needed: expect.any(String), limit: '1000' },
    message: expect.stringMatching(
      /and a limit of this wallet allows 0\.000000000000001ether for one act;/,
    ),
  })
  const ether = 10n ** 18n
  const modest = await walletOf(ben, { limits: { perDay: (ether * 11n) / 10n } })
  const { price, maxFee } = await modest.quote('royalty', tokenId, { amount: ether })
  await modest.royalty(tokenId, { amount: ether })
  const { spentToday, maxSpendPerDay } = await modest.balance()
  expect(BigInt(spentToday)).toBeGreaterThan(ether)
  expect(BigInt(spentToday)).toBeLessThanOrEqual(BigInt(price) + BigInt(maxFee ?? 0))
  expect(maxSpendPerDay).toBe(`${(ether * 11n) / 10n}`)
  const dear = modest.royalty(tokenId, { amount: ether / 10n })
  await expect(dear).rejects.toMatchObject({
    code: 'wallet/day-limit',
    message: expect.stringMatching(/of the 1\.1ether that it may spend today \(UTC\); try again/),
  })
  expect(await nonceOf()).toBe(1)
  await proxy[Symbol.asyncDispose]()
})
