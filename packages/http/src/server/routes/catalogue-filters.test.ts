import { account, hash, type ListingsQuery, type TokensQuery, tokenId, wei } from '@heirloom/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, agent, listed, minted, openWorld, other, post } from '../../../test/server-harness.ts'
import { printToken } from '../printing/print-token.ts'

const world = openWorld()
const somebody = account('0x00000000000000000000000000000000000000AA')
let contentHash: string

/** Makes a world in which every way to ask finds something, and not everything. */
beforeAll(async () => {
  const root = await listed(world, { price: '7', forkPrice: '3' })
  await listed(world, { rentalPricePerDay: '5' })
  const cheap = await listed(world, { price: '1', rentalPricePerDay: '2', forkPrice: '1' })
  const sold = await listed(world, { price: '4' })
  await post(world, `/api/marketplace/buy/${sold}`, { recipient: other.address })
  await post(world, `/api/marketplace/rent/${cheap}`, { durationDays: 1, recipient: somebody })
  const others = world.chain.ledger(addressOf(other))
  const terms = { price: wei(9n), rentalPricePerDay: wei(0n), forkPrice: wei(0n) }
  await others.list({ tokenId: tokenId(sold), ...terms, forkRoyaltyBps: 0 })
  const card = { title: 'Tides', tags: ['sea'], category: 'science' }
  const child = { data: { mood: 'salty' }, parentTokenId: root, card }
  const described = await minted(world, child)
  const offer = { tokenId: described, price: '2', rentalPricePerDay: '0', forkPrice: '0' }
  await post(world, '/api/marketplace/list', { ...offer, forkRoyaltyBps: 0 })
  const token = await world.catalogue.token(tokenId(described))
  contentHash = `${token?.contentHash}`
})

const some = { limit: 100 }
const newest = { sort: 'listedAt', descending: true, ...some } as const
const idsOf = (items: readonly { readonly tokenId: unknown }[]) =>
  items.map((it) => `${it.tokenId}`)

async function told(path: string) {
  const reply = await world.server.inject(path)
  expect(reply.statusCode).toBe(200)
  return reply.json<{ items: { tokenId: string }[] }>().items
}

describe('a question for listings', () => {
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
  ])('with %s narrows it', async (query, asked) => {
    const all = await told('/api/marketplace/listings?limit=100')
    const { items } = await world.catalogue.listings({ ...newest, ...asked })
    const found = await told(`/api/marketplace/listings?limit=100&${query}`)
    expect(found).toEqual(items.map(printToken))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('begins with the newest, and finds nothing of who made nothing', async () => {
    const { items } = await world.catalogue.listings(newest)
    expect(idsOf(await told('/api/marketplace/listings'))).toEqual(idsOf(items))
    expect(await told(`/api/marketplace/listings?creator=${other.address}`)).toEqual([])
  })
})

describe('a question for memories', () => {
  test.each<[string, () => Partial<TokensQuery>]>([
    [`owner=${other.address}`, () => ({ owner: addressOf(other) })],
    [`owner=${agent.address}`, () => ({ owner: addressOf(agent) })],
    ['parent=1', () => ({ parent: tokenId(1n) })],
    [`renter=${somebody}`, () => ({ renter: somebody })],
    ['contentHash=', () => ({ contentHash: hash(contentHash) })],
    ['search=tid', () => ({ search: 'tid' })],
    ['category=science', () => ({ category: 'science' })],
    ['tag=sea', () => ({ tag: 'sea' })],
  ])('with %s narrows it', async (query, asked) => {
    const all = await told('/api/memory?limit=100')
    const { items } = await world.catalogue.tokens({ ...some, ...asked() })
    const whole = query.endsWith('=') ? `${query}${contentHash}` : query
    const found = await told(`/api/memory?limit=100&${whole}`)
    expect(found).toEqual(items.map(printToken))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('finds nothing of who made nothing', async () => {
    expect(await told(`/api/memory?creator=${other.address}`)).toEqual([])
  })
})
