import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import fc from 'fast-check'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actNames, readActs } from '../harness/payments/audit.ts'
import { newWallet, type PrintedOrder, type Shop, shopAt } from '../harness/payments/shop.ts'
import {
  proxyFaults,
  startThievingProxy,
  type ThievingProxy,
} from '../harness/payments/thieving-proxy.ts'
import { freePort } from '../harness/process/free-port.ts'
import { type RunningServer, startServer } from '../harness/process/server.ts'

/** `PAYMENTS` sets the number of payments, and `FC_SEED` selects other random ones. */
const payments = Number(process.env.PAYMENTS ?? 60)
const seed = Number(process.env.FC_SEED ?? 5)
/** `SOAK_SECONDS` ends it earlier, after the purchases that are under way. */
const patience = 1000 * Number(process.env.SOAK_SECONDS ?? 86_400)
const workers = 8
const kills = Math.max(2, Math.floor(payments / 250))
const rich = 10n ** 15n

const home = mkdtempSync(join(tmpdir(), 'payments-'))
const limits = { RELAY_SPEND_PER_ACCOUNT: `${10n ** 24n}`, RELAY_SPEND_PER_DAY: `${10n ** 24n}` }
let environment: Readonly<Record<string, string>>
let server: RunningServer
let proxy: ThievingProxy
let shop: Shop
/** One transaction of the thief after the other, since each needs its nonce. */
let thief: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  environment = { DATA_DIR: home, PORT: `${await freePort()}`, ...limits }
  server = await startServer(environment)
  shop = await shopAt(server.url)
  const faults = fc.sample(
    fc.oneof(
      { weight: 10, arbitrary: fc.constant(undefined) },
      { weight: 10, arbitrary: fc.constantFrom(...proxyFaults, 'drop-reply' as const) },
    ),
    { numRuns: 5_000, seed },
  )
  let request = 0
  proxy = await startThievingProxy({
    target: () => server.url,
    nextFault: () => faults[request++ % faults.length],
    use: (header) => {
      const used = thief.then(() => shop.useEarly(header))
      thief = used.catch(() => undefined)
      return used
    },
  })
})
afterAll(async () => {
  await proxy.close()
  await server.end('SIGKILL')
  rmSync(home, { recursive: true })
})

/** A purchase that is made once, and the name of its act on the chain. */
type Plan = {
  readonly kind: 'buy' | 'rent' | 'fork' | 'royalty'
  readonly tokenId: string
  readonly buyer: PrivateKeyAccount
  readonly name: string
  readonly query: string
}

const day = 1_000_000n
/** The prices of a day; the last one is that of no order, so that what is left can be refunded. */
const prices = [day, 2n * day, 3n * day]

/** Repeats a call while the server is down. */
async function untilUp<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch {
      await pause(100)
    }
  }
}

/** The kinds of the purchases of each buyer, in turn. */
const kinds = ['royalty', 'rent', 'fork', 'rent', 'royalty', 'buy'] as const

async function planPurchases(buyers: readonly PrivateKeyAccount[]): Promise<readonly Plan[]> {
  const forked = await shop.offer({ forkPrice: `${day}` })
  const rented = await Promise.all([1, 2, 3].map(() => shop.offer({ rentalPricePerDay: `${day}` })))
  const plans: Plan[] = []
  for (let index = 0; index < payments; index++) {
    const buyer = buyers[index % buyers.length] ?? newWallet()
    const kind = kinds[Math.floor(index / buyers.length) % kinds.length] ?? 'buy'
    const tokens = { rent: rented[index % rented.length] ?? '', fork: forked, royalty: forked }
    const tokenId = kind === 'buy' ? await shop.offer({ price: `${day}` }) : tokens[kind]
    plans.push({ kind, tokenId, buyer, ...queryOf[kind]({ tokenId, index, of: buyer.address }) })
  }
  return plans
}

type Query = { readonly tokenId: string; readonly index: number; readonly of: `0x${string}` }
type Named = Pick<Plan, 'name' | 'query'>

const queryOf: { readonly [kind in Plan['kind']]: (query: Query) => Named } = {
  buy: ({ tokenId, of }) => ({ query: `recipient=${of}`, name: actNames.buy(tokenId, of) }),
  rent: ({ tokenId, of }) => ({
    query: `durationDays=1&recipient=${of}`,
    name: actNames.rent(tokenId, of),
  }),
  fork: ({ tokenId, index, of }) => ({
    query: `recipient=${of}&price=${day}&maxRoyaltyBps=500&id=${index}`,
    name: actNames.fork(tokenId, of),
  }),
  royalty: ({ tokenId, index, of }) => {
    const amount = day + BigInt(index)
    const name = actNames.royalty(tokenId, amount)
    return { query: `refundTo=${of}&amount=${amount}&id=${index}`, name }
  },
}

/** Makes a purchase with an unmodified client: again and again, until an answer arrives. */
async function purchase({ kind, tokenId, buyer, query }: Plan): Promise<void> {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(buyer))
  client.setSpendControls({ allowedAssets: true })
  const pay = wrapFetchWithPayment(fetch, client)
  const renew = kind === 'rent' ? await renewal(tokenId, buyer) : ''
  const url = `${proxy.url}/api/x402/${kind}/${tokenId}?${query}${renew}`
  for (;;) {
    const status = await pay(url).then(
      async (reply) => {
        const text = await reply.text()
        const isExpected = [200, 402, 503].includes(reply.status)
        if (!isExpected) throw new Error(`${kind} was answered by ${reply.status}: ${text}`)
        return reply.status
      },
      () => 0,
    )
    if (status === 200) return
    if (status === 0) await pause(20)
  }
}

/** Returns the parameter that makes a rental one more, if there was one. */
async function renewal(tokenId: string, { address }: PrivateKeyAccount): Promise<string> {
  const end = await untilUp(() => shop.rentalOf(tokenId, address))
  return end === 0n ? '' : `&renew=${end}`
}

/** Changes the prices of rentals, and kills the server, until the purchases are made. */
function startTrouble(tokens: readonly string[]) {
  let stopped = false
  let killed = 0
  const change = async () => {
    for (let turn = 0; !stopped; turn++) {
      const tokenId = tokens[turn % tokens.length] ?? ''
      const rentalPricePerDay = `${prices[turn % 2]}`
      await shop.list(tokenId, { rentalPricePerDay }).catch(() => undefined)
      await pause(150)
    }
  }
  const kill = async (done: () => number) => {
    while (!stopped) {
      if (done() > ((killed + 1) * payments) / (kills + 1)) {
        killed += 1
        await server.end('SIGKILL')
        server = await startServer(environment)
      }
      await pause(20)
    }
  }
  return {
    run: (done: () => number) => Promise.all([change(), kill(done)]),
    stop: () => {
      stopped = true
    },
    killed: () => killed,
  }
}

/** Returns the orders of every payment that the proxy saw. */
function ordersSeen(): readonly PrintedOrder[] {
  const orders = proxy.seen.map((header) => {
    const { accepted } = JSON.parse(Buffer.from(header, 'base64').toString())
    return accepted.extra.order as PrintedOrder
  })
  return [...new Map(orders.map((it) => [JSON.stringify(it), it])).values()]
}

/** Asks for the money of every order that is still at its address. */
async function refundAll(addresses: ReadonlySet<string>): Promise<number> {
  let refunds = 0
  for (const order of ordersSeen()) {
    const reply = await shop.send('/api/relay', { refund: { order } })
    if (reply.status === 201) refunds += 1
    await reply.arrayBuffer()
  }
  for (const address of addresses) {
    expect(await shop.dollarsOf(address as `0x${string}`), address).toBe(0n)
  }
  return refunds
}

const addressesSeen = () =>
  new Set(
    proxy.seen.map(
      (header) => JSON.parse(Buffer.from(header, 'base64').toString()).accepted.payTo as string,
    ),
  )

/** Makes purchases until `goesOn` says no. */
async function makeAll(plans: readonly Plan[], goesOn: (made: Plan) => boolean): Promise<void> {
  // Each buyer makes one purchase after the other: two rentals at once would be one.
  const waiting = [...Map.groupBy(plans, ({ buyer }) => buyer.address).values()]
  let isOver = false
  const makeQueue = async (queue: readonly Plan[]) => {
    for (const plan of queue) {
      if (isOver) return
      await purchase(plan)
      isOver ||= !goesOn(plan)
    }
  }
  const work = async () => {
    for (let queue = waiting.shift(); queue !== undefined; queue = waiting.shift()) {
      await makeQueue(queue)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

test('every payment is for an act, once, under faults, thieves and kills', async () => {
  const buyers = Array.from({ length: Math.min(200, Math.ceil(payments / 8)) }, newWallet)
  for (const { address } of buyers) await shop.fund(address, rich)
  const { agent, marketplace } = shop.deployment
  const plans = await planPurchases(buyers)
  const rented = [...new Set(plans.flatMap((it) => (it.kind === 'rent' ? [it.tokenId] : [])))]

  const started = performance.now()
  const trouble = startTrouble(rented)
  const made: Plan[] = []
  const running = trouble.run(() => made.length)
  await makeAll(plans, (plan) => {
    made.push(plan)
    return performance.now() - started < patience
  })
  trouble.stop()
  await running
  await thief
  const seconds = (performance.now() - started) / 1000
  for (const tokenId of rented) await shop.list(tokenId, { rentalPricePerDay: `${prices[2]}` })
  const refunds = await refundAll(addressesSeen())

  // From here on the chain alone says what happened.
  const acts = await readActs(shop.chain, marketplace)
  const count = (names: readonly { readonly name: string }[]) =>
    Object.fromEntries(
      [...Map.groupBy(names, ({ name }) => name)].map(([name, all]) => [name, all.length]),
    )
  expect(count(acts)).toEqual(count(made))
  expect(new Set(acts.map(({ orderHash }) => orderHash)).size).toBe(acts.length)
  const buyerOf = new Map(plans.map(({ name, buyer }) => [name, buyer.address]))
  const total = (of: readonly { readonly price: bigint }[]) =>
    of.reduce((sum, { price }) => sum + price, 0n)
  for (const { address } of buyers) {
    const paid = acts.filter(({ name }) => buyerOf.get(name) === address)
    expect(rich - (await shop.dollarsOf(address)), address).toBe(total(paid))
  }
  expect(await shop.dollarsOf(agent)).toBe(total(acts))
  const faults = [...proxy.made].map(([fault, times]) => `${times} ${fault}`).join(', ')
  const counts = `${made.length} payments in ${seconds.toFixed(0)} s, ${trouble.killed()} kills, ${faults}, ${refunds} refunds`
  process.stdout.write(`${counts}: 0 charged twice, 0 without an act, sums exact\n`)
})
