import { account, hash, type ListingsQuery, type TokensQuery, tokenId, wei } from '@heirloom/core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  agent,
  deployment,
  listToken,
  mintToken,
  openHarness,
  other,
  post,
} from '../../../test/server-harness.ts'
import { printToken } from '../operations/print-token.ts'

const harness = openHarness()
const renter = account('0x00000000000000000000000000000000000000AA')
let contentHash: string

/** Fills a catalogue in which every filter finds some tokens, and not all. */
beforeAll(async () => {
  const root = await listToken(harness, { price: '7', forkPrice: '3' })
  await listToken(harness, { rentalPricePerDay: '5' })
  const cheap = await listToken(harness, { price: '1', rentalPricePerDay: '2', forkPrice: '1' })
  const sold = await listToken(harness, { price: '4' })
  await post(harness, `/api/marketplace/buy/${sold}`, { recipient: other.address })
  await post(harness, `/api/marketplace/rent/${cheap}`, { durationDays: 1, recipient: renter })
  const others = harness.chain.ledger(addressOf(other))
  const terms = { price: wei(9n), rentalPricePerDay: wei(0n), forkPrice: wei(0n) }
  await others.list({ tokenId: tokenId(sold), ...terms, forkRoyaltyBps: 0 })
  const card = { title: 'Tides', tags: ['sea'], category: 'science' }
  const child = { data: { mood: 'salty' }, parentTokenId: root, card }
  const described = await mintToken(harness, child)
  const offer = { tokenId: described, price: '2', rentalPricePerDay: '0', forkPrice: '0' }
  await post(harness, '/api/marketplace/list', { ...offer, forkRoyaltyBps: 0 })
  const token = await harness.catalogue.token(tokenId(described))
  contentHash = `${token?.contentHash}`
})

const some = { limit: 100 }
const newest = { sort: 'listedAt', descending: true, ...some } as const
const idsOf = (items: readonly { readonly tokenId: unknown }[]) =>
  items.map((it) => `${it.tokenId}`)

async function itemsAt(path: string) {
  const reply = await harness.server.inject(path)
  expect(reply.statusCode).toBe(200)
  return reply.json<{ items: { tokenId: string }[] }>().items
}

describe('a query of listings', () => {
  test.each<[string, Partial<ListingsQuery>]>([
    ['offer=sale', { offers: ['sale'] }],
    ['offer=sale,rent', { offers: ['sale', 'rent'] }],
    ['minPrice=4', { price: { min: wei(4n) } }],
    ['maxPrice=4', { price: { max: wei(4n) } }],
    ['minRentalPricePerDay=3', { rentalPricePerDay: { min: wei(3n) } }],
    ['maxRentalPricePerDay=3', { rentalPricePerDay: { max: wei(3n) } }],
    ['minForkPrice=2', { forkPrice: { min: wei(2n) } }],
    ['maxForkPrice=2', { forkPrice: { max: wei(2n) } }],
    [`seller=${other.address}`, { seller: addressOf(other) }],
    ['parent=1', { parent: tokenId(1n) }],
    ['search=tid', { search: 'tid' }],
    ['category=science', { category: 'science' }],
    ['tag=sea', { tag: 'sea' }],
    ['family=3', { family: tokenId(3n) }],
  ])('with %s narrows it', async (query, filter) => {
    const all = await itemsAt('/api/marketplace/listings?limit=100')
    const { items } = await harness.catalogue.listings({ ...newest, ...filter })
    const found = await itemsAt(`/api/marketplace/listings?limit=100&${query}`)
    expect(found).toEqual(items.map(printToken(deployment)))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('begins with the newest, and finds nothing of an account without tokens', async () => {
    const { items } = await harness.catalogue.listings(newest)
    expect(idsOf(await itemsAt('/api/marketplace/listings'))).toEqual(idsOf(items))
    for (const name of ['creator', 'maker']) {
      expect(await itemsAt(`/api/marketplace/listings?${name}=${other.address}`)).toEqual([])
    }
  })
})

test('counts the listings that match, with the values that can be added', async () => {
  const numbersAt = async (query: string) =>
    (await harness.server.inject(`/api/marketplace/facets${query}`)).json()
  const all = await itemsAt('/api/marketplace/listings?limit=100')
  expect(await numbersAt('')).toMatchObject({
    total: all.length,
    families: all.length,
    isCut: false,
    correction: null,
    categories: [{ value: 'science', count: 1 }],
  })
  expect(await numbersAt('?tag=sea')).toMatchObject({ total: 1, offers: { sale: 1, rent: 0 } })
  expect(await numbersAt('?search=scinece')).toMatchObject({ total: 0, correction: 'science' })
  const { statusCode } = await harness.server.inject('/api/marketplace/facets?limit=1')
  expect(statusCode).toBe(400)
})

test('shows each family once', async () => {
  const { body } = await post(harness, '/api/marketplace/fork/1', { recipient: agent.address })
  expect(body).toBeDefined()
  const forked = (await itemsAt('/api/memory?limit=1'))[0]?.tokenId
  await post(harness, '/api/marketplace/list', {
    tokenId: forked,
    price: '8',
    rentalPricePerDay: '0',
    forkPrice: '0',
    forkRoyaltyBps: 0,
  })
  const family = { tokenId: '1', listings: 2, versions: 1 }
  for (const [sort, standing, other] of [
    ['listedAt', '1', forked],
    // The fork has the higher price, which comes first.
    ['price', forked, '1'],
  ]) {
    const families = await itemsAt(`/api/marketplace/listings?group=family&sort=${sort}`)
    const [member] = families.filter(({ tokenId }) => tokenId === standing)
    expect(member).toMatchObject({ family })
    expect(idsOf(families)).not.toContain(other)
  }
})

describe('a query of memories', () => {
  test.each<[string, () => Partial<TokensQuery>]>([
    [`owner=${other.address}`, () => ({ owner: addressOf(other) })],
    [`owner=${agent.address}`, () => ({ owner: addressOf(agent) })],
    ['parent=1', () => ({ parent: tokenId(1n) })],
    [`renter=${renter}`, () => ({ renter: renter })],
    ['contentHash=', () => ({ contentHash: hash(contentHash) })],
    ['search=tid', () => ({ search: 'tid' })],
    ['category=science', () => ({ category: 'science' })],
    ['tag=sea', () => ({ tag: 'sea' })],
  ])('with %s narrows it', async (query, filter) => {
    const all = await itemsAt('/api/memory?limit=100')
    const { items } = await harness.catalogue.tokens({ ...some, ...filter() })
    const whole = query.endsWith('=') ? `${query}${contentHash}` : query
    const found = await itemsAt(`/api/memory?limit=100&${whole}`)
    expect(found).toEqual(items.map(printToken(deployment)))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('finds nothing of an account without tokens', async () => {
    expect(await itemsAt(`/api/memory?creator=${other.address}`)).toEqual([])
  })
})
