import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type InterceptingProxy,
  interceptingProxy,
  type ProxiedRequest,
  type Reply,
} from '../../packages/http/test/intercepting-proxy.ts'
import { actNames, readActs } from '../harness/payments/audit.ts'
import { type Shop, shopAt } from '../harness/payments/shop.ts'
import { end } from '../harness/process/child-process.ts'
import { mustPrint } from '../harness/process/heirloom.ts'
import { type HostedServer, hostServer, serverProgram } from '../harness/process/server.ts'

const home = mkdtempSync(join(tmpdir(), 'lost-reply-'))
const day = 250_000n
let server: HostedServer
let shop: Shop
let proxy: InterceptingProxy
beforeAll(async () => {
  server = await hostServer({ DATA_DIR: join(home, 'server') })
  shop = await shopAt(server.url)
  proxy = await interceptingProxy(server.url)
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await server?.end()
  rmSync(home, { recursive: true })
})

type Wallet = { readonly address: Hex; readonly environment: Readonly<Record<string, string>> }

/** Returns a new account with dollars and no native money, with a folder of its own. */
async function newPurse(): Promise<Wallet> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await shop.fund(address)
  const state = mkdtempSync(join(home, 'state-'))
  const environment = { HEIRLOOM_PRIVATE_KEY: key, HEIRLOOM_STATE_DIR: state }
  return { address, environment: { ...environment, HEIRLOOM_RELAYED: 'true' } }
}

const own = ['--as-wallet', '--json'] as const

/** Starts a command in a process of its own. */
function start(words: readonly string[], { environment }: Wallet, url = server.url): ChildProcess {
  const env = { PATH: process.env.PATH, HEIRLOOM_URL: url, ...environment }
  return spawn(process.execPath, [serverProgram, ...words, ...own], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command to its end, which must be a success. */
async function run(
  words: readonly string[],
  { environment }: Wallet,
): Promise<Record<string, string>> {
  return JSON.parse(await mustPrint({ HEIRLOOM_URL: server.url, ...environment }, ...words, ...own))
}

/** Runs a command in a process of its own, behind the proxy, and returns what it prints. */
async function printApart(words: readonly string[], wallet: Wallet) {
  const { stdout } = start(words, wallet, proxy.url)
  return JSON.parse(await text(stdout ?? Readable.from([]))) as Record<string, string>
}

/** The moments at which a process is killed; each says whether the request reached the server before. */
const moments = {
  'before its payment arrives': false,
  'after its payment was made, before the reply': true,
} as const
type Moment = keyof typeof moments

/**
 * Runs a command that is killed at a moment, and returns a function that delivers its request late,
 * as a network may do.
 */
async function cutOff(words: readonly string[], wallet: Wallet, moment: Moment) {
  const held = Promise.withResolvers<() => Promise<Reply>>()
  proxy.intercept(async (request: ProxiedRequest, forward) => {
    if (request.path !== '/api/relay') return forward()
    if (moments[moment]) await forward()
    held.resolve(forward)
    return new Promise(() => undefined)
  })
  const command = start(words, wallet, proxy.url)
  const forward = await held.promise
  expect(await end(command, 'SIGKILL')).toBe('SIGKILL')
  proxy.intercept((_, pass) => pass())
  return forward
}

type Story = {
  readonly words: (tokenId: string) => readonly string[]
  readonly name: (tokenId: string, wallet: Hex) => string
  readonly price: bigint
}

const limit = ['--max-price', '50usd'] as const
const stories: Readonly<Record<string, Story>> = {
  rent: {
    words: (id) => ['rent', id, '--days', '2', ...limit],
    name: actNames.rent,
    price: 2n * day,
  },
  fork: { words: (id) => ['fork', id, ...limit], name: actNames.fork, price: 2_000_000n },
  royalty: {
    words: (id) => ['royalty', id, '3usd'],
    name: (id) => actNames.royalty(id, 3_000_000n),
    price: 3_000_000n,
  },
  buy: { words: (id) => ['buy', id, ...limit], name: actNames.buy, price: 5_000_000n },
}

const offer = () =>
  shop.offer({ price: '5000000', rentalPricePerDay: `${day}`, forkPrice: '2000000' })

const actsOf = async (name: string) => {
  const acts = await readActs(shop.chain, shop.deployment.marketplace)
  return acts.filter((it) => it.name === name)
}

describe.each(Object.entries(stories))(
  '%s in dollars by a process that is killed',
  (verb, story) => {
    test.each(Object.keys(moments) as Moment[])(
      '%s is paid once by the next process',
      async (moment) => {
        const [wallet, tokenId] = [await newPurse(), await offer()]
        const before = await shop.dollarsOf(wallet.address)
        const words = story.words(tokenId)
        const deliver = await cutOff(words, wallet, moment)
        const done = await run(words, wallet)
        await deliver()
        const [act, ...others] = await actsOf(story.name(tokenId, wallet.address))
        expect(act?.price).toBe(story.price)
        expect(others).toEqual([])
        expect(before - (await shop.dollarsOf(wallet.address))).toBe(story.price)
        expect(done.txHash).toMatch(/^0x/)

        // Whoever had the answer, and wants the same once more, gets it.
        if (verb === 'buy') return
        await run(words, wallet)
        expect(before - (await shop.dollarsOf(wallet.address))).toBe(2n * story.price)
      },
    )

    test('and whose folder is lost, is paid once although its payment arrives late', async () => {
      const [wallet, tokenId] = [await newPurse(), await offer()]
      const before = await shop.dollarsOf(wallet.address)
      const words = story.words(tokenId)
      const deliver = await cutOff(words, wallet, 'before its payment arrives')
      const elsewhere = {
        ...wallet.environment,
        HEIRLOOM_STATE_DIR: mkdtempSync(join(home, 'new-')),
      }
      await run(words, { ...wallet, environment: elsewhere })
      await deliver()
      expect(before - (await shop.dollarsOf(wallet.address))).toBe(story.price)
    })
  },
)

test('a rental that waits at one price is not paid again at another one', async () => {
  const [wallet, tokenId] = [await newPurse(), await offer()]
  const before = await shop.dollarsOf(wallet.address)
  const words = stories.rent?.words(tokenId) ?? []
  const deliver = await cutOff(words, wallet, 'before its payment arrives')
  await shop.list(tokenId, { rentalPricePerDay: `${2n * day}` })
  const again = start(words, wallet)
  const errors = text(again.stderr ?? Readable.from([]))
  await new Promise((resolve) => again.on('close', resolve))
  expect(JSON.parse(await errors)).toMatchObject({ code: 'listing/price-changed' })
  await shop.list(tokenId, { rentalPricePerDay: `${day}` })
  await deliver()
  expect(before - (await shop.dollarsOf(wallet.address))).toBe(2n * day)
})

test('two processes that want the same at the same time pay once', async () => {
  const [wallet, tokenId] = [await newPurse(), await offer()]
  const before = await shop.dollarsOf(wallet.address)
  const words = stories.rent?.words(tokenId) ?? []
  // Neither payment arrives before both are signed.
  const signed = Promise.withResolvers<void>()
  let waiting = 0
  proxy.intercept(async (request, forward) => {
    if (request.path !== '/api/relay') return forward()
    waiting += 1
    if (waiting === 2) signed.resolve()
    await signed.promise
    return forward()
  })
  const both = await Promise.all([1, 2].map(() => printApart(words, wallet)))
  proxy.intercept((_, pass) => pass())
  expect(both.map(({ expiresAt }) => expiresAt)).toEqual(
    Array(2).fill(`${await shop.rentalOf(tokenId, wallet.address)}`),
  )
  expect(before - (await shop.dollarsOf(wallet.address))).toBe(2n * day)
})
