import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { encodePayOrder } from '@heirloom/adapters/internal/orders'
import { openWallet, type WalletOptions } from '@heirloom/http/wallet'
import { walletKeys } from '@heirloom/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendOnce } from '../../packages/adapters/src/ledger/send-once.ts'
import { systemTimers } from '../../packages/http/src/client/transport/retries.ts'
import { readSignedAct } from '../../packages/http/src/server/request/read-signed-act.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { agent, deployAwkwardDollar, seller as thief } from '../harness/chain/dollar-relay.ts'
import { clientOf } from '../harness/process/deployer.ts'
import { movedClock } from '../harness/process/moved-clock.ts'
import { type HostedServer, hostServer } from '../harness/process/server.ts'

const home = mkdtempSync(join(tmpdir(), 'held-'))
const clock = movedClock(home)
const usd = 1_000_000n
/** The time by which all clocks are ahead, in milliseconds. */
let ahead = 0
let anvil: Anvil
let server: HostedServer
let dollar: Awaited<ReturnType<typeof deployAwkwardDollar>>
let marketplace: `0x${string}`
beforeAll(async () => {
  anvil = await startAnvil()
  for (const { address } of [agent, thief])
    await testClient(anvil).setBalance({ address, value: 10n ** 20n })
  dollar = await deployAwkwardDollar(anvil)
  const chain = { chain: anvil.url, wallet: agent, dollar: dollar.address }
  const contracts = await deployContracts(chain)
  marketplace = contracts.marketplace
  server = await hostServer({
    DATA_DIR: home,
    RPC_URL: anvil.url.href,
    AGENT_PRIVATE_KEY: walletKeys[0] ?? '',
    MASTER_KEYS: `0x${'5'.repeat(64)}`,
    REGISTRY_ADDRESS: contracts.registry,
    MARKETPLACE_ADDRESS: marketplace,
    ...clock.environment,
  })
})
afterAll(async () => {
  await server?.end()
  await anvil.stop()
  rmSync(home, { recursive: true })
})

/** Opens the wallet of a new account with dollars and no native money. */
async function newWallet(options: Partial<WalletOptions> = {}) {
  const account = privateKeyToAccount(generatePrivateKey())
  await dollar.send('faucet', [account.address, 100n * usd])
  const timers = { ...systemTimers, now: () => Date.now() + ahead }
  return openWallet({
    url: server.url,
    rpcUrl: anvil.url,
    account,
    relay: true,
    timers,
    ...options,
  })
}

const none = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
const inDollars = (amount: bigint) => ({
  ...none,
  dollars: { price: 0n, rentalPricePerDay: amount, forkPrice: 2n * amount },
})

/** Opens a token for rent, and a buyer whose server can hold back what the buyer signs. */
async function openRental() {
  const seller = await newWallet()
  const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...inDollars(usd) })
  const held: string[] = []
  let isHolding = true
  const holding = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    if (!isHolding || !`${input}`.endsWith('/api/relay')) return fetch(input, init)
    held.push(await new Response(init?.body).text())
    throw new TypeError('fetch failed')
  }
  const buyer = await newWallet({ fetch: holding as typeof fetch, retries: 0 })
  const release = () => {
    isHolding = false
  }
  const spent = async () => 100n * usd - (await dollar.balanceOf(buyer.address))
  return { seller, buyer, tokenId, held, release, spent }
}

/** Has an order that was held back carried out, past every server. */
function payHeld(body: string): Promise<unknown> {
  const act = readSignedAct(JSON.parse(body))
  if (act.kind !== 'payOrder') throw new Error('It is no order.')
  const data = encodePayOrder(act.payment)
  const call = { operation: 'payOrder', to: marketplace, data }
  return sendOnce({ client: clientOf(anvil), wallet: thief }, call)
}

async function passSeconds(seconds: number): Promise<void> {
  clock.moveOn(seconds * 1000)
  ahead += seconds * 1000
  await testClient(anvil).increaseTime({ seconds })
  await testClient(anvil).mine({ blocks: 1 })
}

const refused = { code: 'dollar/refused' }

test.each([
  ['a rental', 601],
  ['a fork', 601],
  ['a rental', 200 * 86_400],
  ['a royalty', 200 * 86_400],
] as const)('%s that was held back cannot be carried out %d seconds later', async (what, later) => {
  const { seller, buyer, tokenId, held, spent } = await openRental()
  const acts = {
    'a rental': () => buyer.rent(tokenId, { durationDays: 1 }),
    'a fork': () => buyer.fork(tokenId),
    'a royalty': () => buyer.royalty(tokenId, { dollars: 3n * usd }),
  }
  await expect(acts[what]()).rejects.toMatchObject({ code: 'transaction/unconfirmed' })
  expect(held).toHaveLength(1)
  await seller.list({ tokenId, ...inDollars(9n * usd) })
  await passSeconds(later)
  await seller.list({ tokenId, ...inDollars(usd) })
  await expect(payHeld(held[0] ?? '')).rejects.toMatchObject(refused)
  expect(await spent()).toBe(0n)
})

test('a retry after the payment has ended is the same order, and charged once', async () => {
  const { buyer, tokenId, held, release, spent } = await openRental()
  const rent = () => buyer.rent(tokenId, { durationDays: 1 })
  await expect(rent()).rejects.toMatchObject({ code: 'transaction/unconfirmed' })
  await passSeconds(601)
  await expect(rent()).rejects.toMatchObject({ code: 'transaction/unconfirmed' })
  const [first, second] = held.map((body) => JSON.parse(body).payOrder)
  expect(second.order).toEqual(first.order)
  expect(second.validBefore).not.toBe(first.validBefore)
  release()
  // The thief has the second one carried out, and then the buyer tries once more.
  await payHeld(held[1] ?? '')
  await rent()
  expect(await spent()).toBe(usd)
  for (const body of held) {
    await expect(payHeld(body)).rejects.toMatchObject({ code: 'order/closed' })
  }
})
