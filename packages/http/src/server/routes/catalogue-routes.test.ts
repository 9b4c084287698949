import { tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { type Expected, expectRefusal, invalid, malformed } from '../../../test/expect-refusal.ts'
import {
  addressOf,
  agent,
  deployment,
  freeTerms,
  listToken,
  mintToken,
  openHarness,
  other,
  post,
  type ServerHarness,
} from '../../../test/server-harness.ts'
import { printEvent, printToken } from '../operations/print-token.ts'

type Pages = { readonly items: readonly unknown[]; readonly next: string | null }

/** Returns every item of a list, page by page. */
async function allOf(
  harness: ServerHarness,
  path: string,
  limit: number,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const after = next === undefined ? '' : `&after=${encodeURIComponent(next)}`
    const reply = await harness.server.inject(`${path}limit=${limit}${after}`)
    expect(reply.statusCode).toBe(200)
    const page = reply.json<Pages>()
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    next = page.next
  }
  return items
}

const terms = fc.record({ price: fc.nat(3), rentalPricePerDay: fc.nat(3), forkPrice: fc.nat(3) })
const limit = fc.integer({ min: 1, max: 7 })

async function harnessWith(
  all: readonly { readonly [name: string]: number }[],
): Promise<ServerHarness> {
  const harness = openHarness()
  for (const each of all) {
    const texts = Object.entries(each).map(([name, value]) => [name, `${value}`])
    await listToken(harness, { ...freeTerms, ...Object.fromEntries(texts) })
  }
  return harness
}

describe('pages over HTTP', () => {
  test('of listings are those of the catalogue', async () => {
    const sort = fc.constantFrom('listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice')
    const order = fc.constantFrom('asc', 'desc')
    const query = fc.record({ sort, order, limit, minPrice: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(terms, { maxLength: 9 }), query, async (all, it) => {
        const harness = await harnessWith(all)
        const query = `sort=${it.sort}&order=${it.order}&minPrice=${it.minPrice}&`
        const { items } = await harness.catalogue.listings({
          sort: it.sort as 'price',
          descending: it.order === 'desc',
          limit: 100,
          price: { min: wei(BigInt(it.minPrice)) },
        })
        const listed = await allOf(harness, `/api/marketplace/listings?${query}`, it.limit)
        expect(listed).toEqual(items.map(printToken(deployment)))
      }),
      { numRuns: times(8, 30) },
    )
  })

  test('of memories and histories are those of the catalogue', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(terms, { minLength: 1, maxLength: 9 }),
        limit,
        async (all, size) => {
          const harness = await harnessWith(all)
          const { items } = await harness.catalogue.tokens({ owner: addressOf(agent), limit: 100 })
          const owned = await allOf(harness, `/api/memory?owner=${agent.address}&`, size)
          expect(owned).toEqual(items.map(printToken(deployment)))
          const events = await harness.catalogue.history(tokenId(1n), { limit: 100 })
          const history = await allOf(harness, '/api/memory/1/history?', size)
          expect(history).toEqual(events?.items.map(printEvent))
        },
      ),
      { numRuns: times(8, 30) },
    )
  })
})

describe('a token', () => {
  test('has the lineage, the split and the history of its forks', async () => {
    const harness = openHarness()
    const root = await listToken(harness, { price: '1000', forkPrice: '10', forkRoyaltyBps: 1000 })
    await post(harness, `/api/marketplace/fork/${root}`)
    await mintToken(harness, { parentTokenId: '2' })
    const lineage = (await harness.server.inject('/api/memory/2/lineage?price=5000')).json()
    expect(lineage).toMatchObject({ link: 'fork', isCut: false, token: { royaltyBps: 1000 } })
    expect(lineage.ancestors[0]).toMatchObject({ link: null, token: { tokenId: '1' } })
    expect(lineage.descendants[0]).toMatchObject({ link: 'declared', token: { tokenId: '3' } })
    const royalties = [{ to: agent.address, amount: '500', tokenId: '1' }]
    const currency = 'native'
    expect(lineage.split).toEqual({ currency, price: '5000', royalties, rest: '4500' })
    const priced = (await harness.server.inject('/api/memory/1/lineage')).json()
    expect(priced.split).toEqual({ currency, price: '1000', royalties: [], rest: '1000' })
    const plain = (await harness.server.inject('/api/memory/3/lineage')).json()
    const ether = `${10n ** 18n}`
    expect(plain.split).toEqual({ currency, price: ether, royalties: [], rest: ether })
  })

  test('has the split of its price in dollars, or of one dollar, when it is listed in them', async () => {
    const harness = openHarness()
    const free = { price: '0', rentalPricePerDay: '0', forkPrice: '0' }
    const splitOf = async (prices: object) => {
      const dollars = { ...free, ...prices }
      const id = await listToken(harness, { dollars, forkRoyaltyBps: 500 })
      return (await harness.server.inject(`/api/memory/${id}/lineage`)).json().split
    }
    const sold = { currency: 'dollar', price: '7000000', royalties: [], rest: '7000000' }
    expect(await splitOf({ price: '7000000' })).toEqual(sold)
    const rented = { currency: 'dollar', price: '1000000', royalties: [], rest: '1000000' }
    expect(await splitOf({ rentalPricePerDay: '9' })).toEqual(rented)
  })

  test('has the rentals that run now', async () => {
    const harness = openHarness()
    const id = await listToken(harness, { rentalPricePerDay: '5' })
    const body = { durationDays: 1, recipient: other.address }
    const { expiresAt } = (await post(harness, `/api/marketplace/rent/${id}`, body)).json()
    const items = [{ tokenId: id, renter: other.address, expiresAt }]
    expect((await harness.server.inject(`/api/memory/${id}/rentals`)).json()).toEqual({ items })
    harness.clock.advance(86_400_000)
    expect((await harness.server.inject(`/api/memory/${id}/rentals`)).json()).toEqual({ items: [] })
  })

  test('has at most a hundred rentals in the reply, the last to end first', async () => {
    const harness = openHarness()
    const id = await listToken(harness, { rentalPricePerDay: '5' })
    for (let nth = 1; nth <= 101; nth++) {
      const recipient = `0x${nth.toString().padStart(40, '0')}`
      const body = { durationDays: 1 + (nth % 101), recipient }
      expect((await post(harness, `/api/marketplace/rent/${id}`, body)).statusCode).toBe(201)
    }
    const { items } = (await harness.server.inject(`/api/memory/${id}/rentals`)).json()
    const numbers = items.map(({ renter }: { renter: string }) => Number(renter.slice(2)))
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => 100 - at))
  })

  test('is whole, and after a second is not, once its bytes are gone', async () => {
    const harness = openHarness()
    const id = await mintToken(harness)
    const readIntegrity = async () =>
      (await harness.server.inject(`/api/memory/${id}/integrity`)).json()
    const whole = { tokenId: id, present: true, bytes: expect.any(Number), matches: true }
    expect(await readIntegrity()).toEqual(whole)
    const token = await harness.catalogue.token(tokenId(id))
    if (token !== undefined) await harness.blobStore.remove(token.digest)
    expect(await readIntegrity()).toEqual(whole)
    harness.clock.advance(1001)
    expect(await readIntegrity()).toEqual({
      tokenId: id,
      present: false,
      bytes: null,
      matches: false,
    })
  })

  test('that is sold pays its owner, who can see it', async () => {
    const harness = openHarness()
    const id = await listToken(harness, { price: '700' })
    await post(harness, `/api/marketplace/buy/${id}`, { recipient: other.address })
    const reply = await harness.server.inject(`/api/accounts/${agent.address}/earnings`)
    const nothing = { rentals: '0', forks: '0', royalties: '0', credit: '0' }
    const dollars = { sales: '0', ...nothing }
    expect(reply.json()).toEqual({ sales: '700', ...nothing, dollars })
  })
})

describe('the events of some kinds', () => {
  const harness = openHarness()

  test('are those kinds alone, and an unknown one is refused', async () => {
    const id = await listToken(harness, { price: '700' })
    await post(harness, `/api/marketplace/buy/${id}`, { recipient: other.address })
    const read = async (kind: string) =>
      (await harness.server.inject(`/api/activity?kind=${kind}`))
        .json<{ items: { kind: string }[] }>()
        .items.map((it) => it.kind)
    expect(await read('sale,dollar-sale')).toEqual(['sale'])
    expect(await read('mint,sale')).toEqual(['sale', 'mint'])
    const url = '/api/activity?kind=purchase'
    await expectRefusal(harness, () => harness.server.inject(url), malformed)
  })
})

describe('the titles of tokens', () => {
  const harness = openHarness()

  test('are those of their cards, in the order of the request', async () => {
    const plain = await mintToken(harness)
    const titled = await mintToken(harness, { card: { title: 'A year of trades' } })
    const reply = await harness.server.inject(`/api/titles?tokenIds=99,${titled},${plain}`)
    expect(reply.json()).toEqual({
      items: [
        { tokenId: '99' },
        { tokenId: titled, title: 'A year of trades' },
        { tokenId: plain },
      ],
    })
  })

  test.each(['', 'x', '1,,2', Array(101).fill('1').join()])('are refused of “%s”', async (ids) => {
    const url = `/api/titles?tokenIds=${ids}`
    await expectRefusal(harness, () => harness.server.inject(url), malformed)
  })
})

const unknown: Expected = { status: 404, code: 'token/not-found' }
const wrongSpelling = other.address.replace(/[a-f]/, (digit) => digit.toUpperCase())

describe('a question', () => {
  const harness = openHarness()

  test.each<[string, Expected]>([
    ['/api/marketplace/listings?offers=sale', malformed],
    ['/api/marketplace/listings?offer=', malformed],
    ['/api/marketplace/listings?offer=sale,lease', malformed],
    ['/api/marketplace/listings?minPrice=-1', malformed],
    ['/api/marketplace/listings?minPrice=1.5', malformed],
    [`/api/marketplace/listings?maxForkPrice=${2n ** 256n}`, invalid],
    ['/api/marketplace/listings?sort=name', malformed],
    ['/api/marketplace/listings?order=up', malformed],
    ['/api/marketplace/listings?limit=0', malformed],
    ['/api/marketplace/listings?limit=101', malformed],
    ['/api/marketplace/listings?limit=5&limit=6', malformed],
    ['/api/marketplace/listings?after=nonsense', malformed],
    [`/api/marketplace/listings?search=${'a'.repeat(201)}`, malformed],
    ['/api/marketplace/listings?seller=0x12', malformed],
    [`/api/marketplace/listings?seller=${wrongSpelling}`, invalid],
    ['/api/memory?owner=me', malformed],
    ['/api/memory?contentHash=0x12', malformed],
    ['/api/memory?__proto__=1', malformed],
    [`/api/memory?tag=${'a'.repeat(33)}`, malformed],
    ['/api/accounts/0x12/earnings', invalid],
    [`/api/accounts/${wrongSpelling}/earnings`, invalid],
    ['/api/memory/01/lineage', malformed],
    ['/api/memory/9/lineage?price=x', malformed],
    ['/api/memory/9/history?limit=x', malformed],
    ['/api/memory/9/rentals?limit=1', malformed],
    ['/api/memory/9/integrity?deep=1', malformed],
    ['/api/memory/9/lineage', unknown],
    ['/api/memory/9/history', unknown],
    ['/api/memory/9/rentals', unknown],
    ['/api/memory/9/integrity', unknown],
    ['/api/memory/0/lineage', unknown],
  ])('%s is refused', async (url, expected) => {
    await expectRefusal(harness, () => harness.server.inject(url), expected)
  })
})
