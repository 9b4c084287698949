import { type TokenId, type Wei, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import {
  addressOf,
  agent,
  freeTerms,
  listToken,
  mintToken,
  openHarness,
  other,
  post,
} from '../../../test/server-harness.ts'

const prices = ['price', 'rentalPricePerDay', 'forkPrice'] as const
type Prices = { readonly [name in (typeof prices)[number]]: Wei }

/** The route that pays each price, its body, and how many times it pays the price. */
const ways = {
  price: { path: 'buy', body: {}, times: 1n },
  rentalPricePerDay: { path: 'rent', body: { durationDays: 3 }, times: 3n },
  forkPrice: { path: 'fork', body: {}, times: 1n },
} as const

const same = (price: Wei): Prices => ({ price, rentalPricePerDay: price, forkPrice: price })

/** Opens a market in which another account than the agent's sells a token and can change its price. */
async function market() {
  const harness = openHarness()
  const seller = harness.chain.ledger(addressOf(other))
  const id = await mintToken(harness, { recipient: seller.agent })
  const list = (terms: Prices) =>
    seller.list({ tokenId: BigInt(id) as TokenId, ...terms, forkRoyaltyBps: 0 })
  const pay = (name: keyof Prices, more: object = {}) =>
    post(harness, `/api/marketplace/${ways[name].path}/${id}`, { ...ways[name].body, ...more })
  const spent = () => 10n ** 22n - harness.chain.balance(addressOf(agent))
  return { ...harness, seller, id, list, pay, spent }
}

describe.each(prices)('a %s that was raised', (name) => {
  const { times } = ways[name]

  test('just before the request is not paid', async () => {
    const { list, pay, clock, spent } = await market()
    await list(same(wei(1000n)))
    clock.advance(600_000)
    await list(same(wei(5000n)))
    const reply = await pay(name)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'listing/price-raised'])
    const [price, seenPrice] = [5000n * times, 1000n * times].map(String)
    expect(reply.json().facts).toMatchObject({ price, seenPrice })
    expect(spent()).toBe(0n)
  })

  test('is paid if the caller agrees to it', async () => {
    const { list, pay, clock, spent } = await market()
    await list(same(wei(1000n)))
    clock.advance(600_000)
    await list(same(wei(5000n)))
    expect((await pay(name, { maxPrice: String(5000n * times) })).statusCode).toBe(201)
    expect(spent()).toBe(5000n * times)
  })

  test('is paid once it has stood for a minute', async () => {
    const { list, pay, clock } = await market()
    await list(same(wei(1000n)))
    await list(same(wei(5000n)))
    clock.advance(59_000)
    expect((await pay(name)).statusCode).toBe(409)
    clock.advance(1000)
    expect((await pay(name)).statusCode).toBe(201)
  })

  test('is not paid if the token was unlisted meanwhile', async () => {
    const { list, pay, clock } = await market()
    await list(same(wei(1000n)))
    clock.advance(600_000)
    await list(same(wei(0n)))
    clock.advance(10_000)
    await list(same(wei(5000n)))
    expect((await pay(name)).statusCode).toBe(409)
  })

  test('is not paid if the seller transferred the token meanwhile', async () => {
    const { chain, list, pay, clock, seller, id } = await market()
    await list(same(wei(1000n)))
    clock.advance(600_000)
    const third = chain.ledger(addressOf(agent))
    await chain.transfer(seller.agent, BigInt(id) as TokenId, third.agent)
    await chain.transfer(third.agent, BigInt(id) as TokenId, seller.agent)
    await list(same(wei(5000n)))
    expect((await pay(name)).statusCode).toBe(409)
  })
})

describe('a request without maxPrice', () => {
  test('pays a first listing, and one that was made cheaper', async () => {
    const { list, pay, spent } = await market()
    await list(same(wei(5000n)))
    expect((await pay('forkPrice')).statusCode).toBe(201)
    await list(same(wei(1000n)))
    expect((await pay('price')).statusCode).toBe(201)
    expect(spent()).toBe(6000n)
  })

  test('pays the price of the agent itself', async () => {
    const harness = openHarness()
    const id = await listToken(harness, { price: '1' })
    await post(harness, '/api/marketplace/list', { tokenId: id, ...freeTerms, price: '2' })
    expect((await post(harness, `/api/marketplace/buy/${id}`)).statusCode).toBe(201)
  })

  const step = fc.record({
    seconds: fc.constantFrom(0, 1, 20, 59, 60, 61, 200),
    price: fc.constantFrom(0n, 1n, 2n, 3n, 1000n),
  })

  type Stood = { readonly price: bigint; readonly until: number }

  type Market = Pick<Awaited<ReturnType<typeof market>>, 'list' | 'clock'>
  type Step = { readonly price: bigint; readonly seconds: number }

  async function play(steps: readonly Step[], { list, clock }: Market): Promise<Stood[]> {
    const stood: Stood[] = []
    for (const { price, seconds } of steps) {
      await list(same(wei(price)))
      clock.advance(seconds * 1000)
      stood.push({ price, until: clock.now() })
    }
    return stood
  }

  /** Returns the prices of the token in the minute before a moment. */
  const seenIn = (stood: readonly Stood[], now: number) =>
    stood.flatMap(({ price, until }, at) => {
      const isSeen = at === stood.length - 1 || until > now - 60_000
      return isSeen && price > 0n ? [price] : []
    })

  test('never pays more than the least that was asked in the last minute', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...prices),
        fc.constantFrom(0, 30, 60),
        async (steps, name, last) => {
          const { list, pay, clock, spent } = await market()
          const stood = await play(steps, { list, clock })
          clock.advance(last * 1000)
          const live = stood.at(-1)?.price ?? 0n
          const isPaid = live > 0n && seenIn(stood, clock.now()).every((price) => live <= price)
          expect((await pay(name)).statusCode).toBe(isPaid ? 201 : 409)
          expect(spent()).toBe(isPaid ? live * ways[name].times : 0n)
        },
      ),
      { numRuns: times(15, 60) },
    ))
})
