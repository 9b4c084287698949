import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deployContracts } from '@heirloom/adapters/contracts'
import { memoryStore, type WalletStore } from '@heirloom/adapters/internal/wallet'
import { createPublicClient, type Hex, http, parseTransaction } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../packages/http/src/client/client.ts'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { serve } from '../../packages/http/src/server/serve.ts'
import { openWallet, type WalletOptions } from '../../packages/http/src/wallet/open-wallet.ts'
import {
  interceptingProxy,
  type ProxiedRequest,
} from '../../packages/http/test/intercepting-proxy.ts'
import { ben, cleo, keyOf } from '../../packages/http/test/wallet-harness.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'

const folder = mkdtempSync(join(tmpdir(), 'raised-fees-'))

/** Starts a server on a chain whose blocks and base fee the tests decide. */
async function startMarket() {
  const anvil = await startAnvil()
  closing.push(anvil.stop)
  const chain = testClient(anvil)
  const node = createPublicClient({ transport: http(anvil.url.href), cacheTime: 0 })
  for (const { address } of [cleo, ben]) await chain.setBalance({ address, value: 10n ** 20n })
  const pair = await deployContracts({ chain: anvil.url, wallet: cleo })
  const server = await serve(
    readConfig({
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      MASTER_KEYS: '7'.repeat(64),
      RPC_URL: anvil.url.href,
      AGENT_PRIVATE_KEY: keyOf(cleo),
      REGISTRY_ADDRESS: pair.registry,
      MARKETPLACE_ADDRESS: pair.marketplace,
    }),
  )
  closing.push(server.close)
  await server.ready
  const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
  const { tokenId } = await createClient({ url: server.url }).snapshot(memory)
  const proxy = await interceptingProxy(anvil.url.href.replace(/\/$/, ''))
  closing.push(proxy[Symbol.asyncDispose])
  return { chain, node, proxy, tokenId, url: server.url, creator: cleo.address }
}

const closing: (() => PromiseLike<void>)[] = []

let market: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => {
  market = await startMarket()
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  rmSync(folder, { recursive: true })
})

const triple: BaseFee = (price) => 3n * price

/** A price of gas at which no block of these tests is full. */
const gwei = 10n ** 9n

beforeEach(async () => {
  market.proxy.intercept((_, forward) => forward())
  await market.chain.setAutomine(true)
  await mineAt(gwei)
})

/** Mines a block with a base fee. */
async function mineAt(baseFeePerGas: bigint): Promise<void> {
  await market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await market.chain.mine({ blocks: 1 })
}

const open = (more: Partial<WalletOptions> = {}) =>
  openWallet({
    url: market.url,
    account: ben,
    rpcUrl: market.proxy.url,
    timeout: 120_000,
    retries: 0,
    ...more,
  })

/** Returns a base fee from the price of the first transaction of an act. */
type BaseFee = (price: bigint) => bigint

/** The longest wait of a wallet that does not see its act mined, by a clock that a test moves. */
const timeout = 60_000

/**
 * Pays five wei while each block has a base fee, from the moment on at which the node has the first
 * transaction, until the act has ended: its time is up once it sent the least transactions, and looked
 * for them a few times.
 */
async function payWhile(
  wallet: Awaited<ReturnType<typeof open>>,
  feeOf: BaseFee,
  { key, onSent, least = Number.POSITIVE_INFINITY }: Paying = {},
) {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { chain, tokenId, creator, node, proxy } = market
  const from = proxy.requests.length
  const hashes: Hex[] = []
  const before = await read()
  await chain.setAutomine(false)
  let isOver = false
  const act = wallet
    .royalty(
      tokenId,
      { amount: 5n },
      {
        ...(key !== undefined && { idempotencyKey: key }),
        onSent: (hash) => {
          hashes.push(hash)
          onSent?.(hash)
        },
      },
    )
    .finally(() => {
      isOver = true
    })
  const ended = act.then(
    ({ txHash }) => txHash,
    (error: unknown) => error,
  )
  let isPending = false
  while (!isOver) {
    isPending ||= (await chain.getTxpoolStatus()).pending > 0
    const requests = proxy.requests.slice(from)
    const sent = sentIn(requests)
    if (isPending) await mineAt(feeOf(sent[0]?.maxFeePerGas ?? 0n))
    if (sent.length >= least) endOnceLooked(requests)
    await pause(10)
  }
  vi.useRealTimers()
  await chain.setAutomine(true)
  async function read() {
    const [nonce, balance] = await Promise.all([
      node.getTransactionCount({ address: ben.address }),
      node.getBalance({ address: creator }),
    ])
    return { nonce, balance }
  }
  const after = await read()
  const paid = { nonces: after.nonce - before.nonce, received: after.balance - before.balance }
  return { hashes, result: await ended, sent: sentIn(proxy.requests.slice(from)), ...paid }
}

/** Moves the clock of a wallet to the end of its wait once it looked for its transactions a few times. */
function endOnceLooked(requests: readonly ProxiedRequest[]): void {
  const looks = requests.filter(({ body }) => `${body}`.includes('eth_getTransactionReceipt'))
  if (looks.length >= 6) vi.advanceTimersByTime(timeout)
}

type Paying = {
  readonly key?: string
  readonly onSent?: (hash: Hex) => void
  /** The least transactions that are sent before the time of the wallet is up. */
  readonly least?: number
}

/** Returns the transactions that reached the node, each once. */
const sentIn = (requests: readonly ProxiedRequest[]) =>
  [
    ...new Set(
      requests
        .map(({ body }) => JSON.parse(`${body}`) as { method: string; params: [Hex] })
        .filter(({ method }) => method === 'eth_sendRawTransaction')
        .map(({ params }) => params[0]),
    ),
  ].map((raw) => parseTransaction(raw))

test('an act that a rise of the fees leaves behind is sent again for more, and happens once', async () => {
  const wallet = await open()
  const spentBefore = BigInt((await wallet.balance()).spentToday)
  const ethBefore = await market.node.getBalance({ address: ben.address })
  const { hashes, result, sent, ...paid } = await payWhile(wallet, triple)
  expect(hashes.length).toBeGreaterThan(1)
  expect(result).toBe(hashes.at(-1))
  expect(paid).toEqual({ nonces: 1, received: 5n })
  expect(sent).toHaveLength(hashes.length)
  const [first] = sent
  const { nonce, to, data, value, gas } = first ?? {}
  for (const it of sent) expect(it).toMatchObject({ nonce, to, data, value, gas })
  // What counts as spent is what the account has paid, and nothing of the others.
  const spent = BigInt((await wallet.balance()).spentToday) - spentBefore
  expect(spent).toBe(ethBefore - (await market.node.getBalance({ address: ben.address })))
  // Each hash leads to the one that was mined.
  for (const hash of hashes) expect(await wallet.confirm(hash)).toMatchObject({ txHash: result })
})

test('no act is raised above four times its first price, or the limit of its fees', async () => {
  for (const fee of [undefined, 2_000_000n * gwei]) {
    const wallet = await open({ timeout, limits: { fee } })
    const feeOf: BaseFee = (price) => 100n * price
    const { hashes, result, sent, nonces } = await payWhile(wallet, feeOf, { least: 2 })
    expect(result).toMatchObject({
      code: 'transaction/unconfirmed',
      facts: { txHash: hashes.at(-1) },
    })
    expect(nonces).toBe(0)
    const [first] = sent
    const highest = fee ?? (first?.gas ?? 0n) * (first?.maxFeePerGas ?? 0n) * 4n
    for (const { gas = 0n, maxFeePerGas = 0n } of sent) {
      expect(gas * maxFeePerGas).toBeLessThanOrEqual(highest)
    }
    expect(sent.length).toBeGreaterThan(1)
    await mineAt(gwei)
    expect(await wallet.confirm(hashes[0] ?? '0x')).toMatchObject({ txHash: hashes.at(-1) })
  }
})

test('an act whose fees are above their limit is not signed', async () => {
  const wallet = await open({ limits: { fee: 1000n } })
  const pay = wallet.royalty(market.tokenId, { amount: 5n })
  await expect(pay).rejects.toMatchObject({ code: 'wallet/call-limit', facts: { limit: '1000' } })
})

test.each([['perCall'], ['perDay']])('a raise stays within the limit %s', async (name) => {
  const { maxFee } = await (await open()).quote('royalty', market.tokenId, { amount: 5n })
  const limit = 5n + (BigInt(maxFee ?? 0) * 3n) / 2n
  const wallet = await open({ timeout, limits: { [name]: limit } })
  const { nonces, sent } = await payWhile(wallet, triple, { least: 1 })
  expect(nonces).toBe(0)
  for (const { gas = 0n, maxFeePerGas = 0n } of sent) {
    expect(5n + gas * maxFeePerGas).toBeLessThanOrEqual(limit)
  }
  expect(BigInt((await wallet.balance()).spentToday)).toBeLessThanOrEqual(limit)
  await mineAt(gwei)
})

test('an act that a block may still take is not sent again', async () => {
  const { hashes, result } = await payWhile(await open(), () => gwei)
  expect(hashes).toEqual([result])
})

/** Lets no transaction through once the first has been sent. */
function dropReplacements() {
  let sent = 0
  market.proxy.intercept(async ({ body }, forward) => {
    const isSent = JSON.parse(`${body}`).method === 'eth_sendRawTransaction'
    return isSent && ++sent > 1 ? undefined : forward()
  })
}

const recording = (store: WalletStore): WalletStore => store

/** Returns a store that has forgotten each replacement, as that of another process may have. */
function forgetful(store: WalletStore): WalletStore {
  const { acts } = store
  return { ...store, acts: { ...acts, replace: () => undefined } }
}

test.each([
  ['the first', () => gwei, recording],
  ['a later', triple, recording],
  ['a later', triple, forgetful],
])(
  'a key finds its act after a crash, when %s transaction of it is mined',
  async (which, fee, keep) => {
    const store = memoryStore()
    const key = `${which} ${keep.name}`
    const wallet = await open({ store: () => keep(store), timeout })
    if (which === 'the first') dropReplacements()
    const lost = await payWhile(wallet, triple, {
      key,
      least: 2,
      onSent: () => {
        // The process learns nothing more of the chain: it may as well have been killed.
        market.proxy.intercept(async ({ body }, forward) => {
          const { method } = JSON.parse(`${body}`)
          return method === 'eth_getTransactionReceipt' ? undefined : forward()
        })
      },
    })
    expect(lost.result).toMatchObject({ code: 'transaction/unconfirmed' })
    market.proxy.intercept((_, forward) => forward())
    await mineAt(fee(lost.sent[0]?.maxFeePerGas ?? 0n))
    const nonce = await market.node.getTransactionCount({ address: ben.address })
    const next = await open({ store: () => store, timeout: 1_000 })
    const pay = () => next.royalty(market.tokenId, { amount: 5n }, { idempotencyKey: key })
    const { txHash } = await pay()
    expect(lost.hashes).toContain(txHash)
    expect(await pay()).toMatchObject({ txHash })
    expect(await market.node.getTransactionCount({ address: ben.address })).toBe(nonce)
  },
)
