import {
  type Catalogue,
  type CataloguedToken,
  dollars,
  type ListingsFilter,
  type Offer,
  toSeconds,
} from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { zeroAddress } from 'viem'
import { operations } from '../../api/operations/operations.ts'
import { pathOf, wellKnownPaths } from '../../api/operations/paths.ts'
import type { KeylessAct } from '../api-keys/key-ring.ts'
import { type Handlers, serveOperations } from '../operations/serve-operation.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { notFound } from '../routes/well-known.ts'
import { networkOf } from './check-payment.ts'
import { encodeDiscovery, encodeTerms, service } from './encode-x402.ts'
import type { PaidActs } from './paid-acts.ts'

type Parts = {
  readonly catalogue: Pick<Catalogue, 'listings' | 'facets'>
  readonly paidActs: Pick<PaidActs, 'dollar' | 'leastOrder'>
  readonly gate: Pick<AcceptedProofs, 'originOf'>
  readonly keyless: readonly KeylessAct[]
}

/** The acts that listings offer, in the order of the list, each with its price in a listing. */
const offers = [
  { act: 'rent', offer: 'rent', price: 'rentalPricePerDay' },
  { act: 'buy', offer: 'sale', price: 'price' },
  { act: 'fork', offer: 'fork', price: 'forkPrice' },
] as const satisfies readonly { readonly offer: Offer; readonly [name: string]: string }[]

type Offered = (typeof offers)[number]
type Resource = { readonly offered: Offered; readonly token: CataloguedToken }
type Page = { readonly items: readonly Resource[]; readonly next: string | null }

/** The most listings that are read at once, and that the manifest of an origin names. */
const mostNamed = 100

/**
 * Registers the discovery list, and the manifest that leads to it from the origin alone, where anyone may
 * pay.
 */
export function discoveryRoutes(server: FastifyInstance, parts: Parts): void {
  serveOperations(server, discoveryHandlers(parts))
  server.get(wellKnownPaths.x402, { schema: { hide: true } }, async (request) => {
    const origin = parts.gate.originOf(request)
    if (origin === undefined || !parts.keyless.includes('relay')) throw notFound(request)
    const { items } = await readPage(parts, { limit: mostNamed, offset: 0 })
    const resources = items.map((it) => encodeResource(parts.paidActs, origin, it).resource)
    const list = `${origin}${pathOf('x402Resources')}`
    const instructions = `GET ${list} has all of them, page by page, with their prices; ${origin}${pathOf('x402Search')}?query= finds them by the words of their cards.`
    return { version: 1, x402Version: 2, resources, instructions }
  })
}

/** Returns the handlers of the discovery list. */
function discoveryHandlers(parts: Parts): Handlers<'x402Resources' | 'x402Search'> {
  const { gate, paidActs } = parts
  const encode = (request: FastifyRequest, items: Page['items']) =>
    items.map((it) => encodeResource(paidActs, gate.originOf(request) ?? '', it))
  return {
    x402Resources: async (request) => {
      const { query } = request
      const [limit, offset] = [Number(query.limit ?? 20), Number(query.offset ?? 0)]
      const isMatching = matches(parts, query)
      const { items, next } = isMatching ? await readPage(parts, { ...query, limit, offset }) : none
      const total = isMatching ? await countOffers(parts) : 0
      const pagination = { limit, offset, total, cursor: next }
      return { x402Version: 2, items: encode(request, items), pagination }
    },
    x402Search: async (request) => {
      const { query } = request
      const limit = Number(query.limit ?? 20)
      const input = { cursor: query.cursor, search: query.query, limit, offset: 0 }
      const { items, next } = matches(parts, query) ? await readPage(parts, input) : none
      const pagination = { limit, cursor: next }
      return { x402Version: 2, resources: encode(request, items), pagination }
    },
  }
}

const none: Page = { items: [], next: null }

type Filters = {
  readonly [name in 'type' | 'payTo' | 'scheme' | 'network' | 'extensions']?: string | undefined
}

/** Returns whether resources match a filter: they are all alike in what it may name. */
function matches({ paidActs: { dollar } }: Parts, filters: Filters): boolean {
  const own = { type: 'http', scheme: 'exact', payTo: zeroAddress, extensions: 'bazaar' }
  const values: Filters = { ...own, network: networkOf(dollar) }
  return Object.entries(values).every(([name, value]) => {
    const given = filters[name as keyof Filters]
    return given === undefined || given === value
  })
}

/** Returns the filter of the listings that make an offer which is worth its gas. */
const filterOf = (
  { paidActs: { leastOrder } }: Parts,
  { offer, price }: Offered,
  search?: string,
): ListingsFilter => ({
  search,
  sort: search === undefined ? 'listedAt' : 'relevance',
  currency: 'dollar',
  offers: [offer],
  [price]: { min: dollars(leastOrder > 0n ? leastOrder : 1n) },
})

/** A place in the list: the act, and the cursor in the listings that offer it. */
type Place = { readonly at: number; readonly after: string | undefined }

type Reading = {
  readonly search?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** Reads a page of offers: those of one act follow those of the act before. */
async function readPage(parts: Parts, { search, cursor, limit, offset }: Reading): Promise<Page> {
  const skipped = await readMany(parts, { search, place: placeIn(cursor), count: offset })
  const { items, place } = await readMany(parts, { search, place: skipped.place, count: limit })
  const act = offers[place.at]?.act
  return { items, next: act === undefined ? null : `${act}.${place.after ?? ''}` }
}

function placeIn(cursor = 'rent.'): Place {
  const dot = cursor.indexOf('.')
  const act = cursor.slice(0, dot)
  return { at: offers.findIndex((it) => it.act === act), after: cursor.slice(dot + 1) || undefined }
}

type Counted = Pick<Reading, 'search'> & { readonly place: Place; readonly count: number }

async function readMany(parts: Parts, { search, place: from, count }: Counted) {
  const items: Resource[] = []
  let place = from
  for (let it = offers[place.at]; it && items.length < count; it = offers[place.at]) {
    const limit = Math.min(count - items.length, mostNamed)
    const filter = { ...filterOf(parts, it, search), after: place.after, descending: true, limit }
    const page = await parts.catalogue.listings(filter)
    for (const token of page.items) items.push({ offered: it, token })
    place = { at: page.next === undefined ? place.at + 1 : place.at, after: page.next }
  }
  return { items, place }
}

async function countOffers(parts: Parts): Promise<number> {
  const facets = offers.map((offered) => parts.catalogue.facets(filterOf(parts, offered)))
  return (await Promise.all(facets)).reduce((sum, { total }) => sum + total, 0)
}

function encodeResource(
  { dollar }: Pick<PaidActs, 'dollar'>,
  origin: string,
  { offered: { act, price }, token }: Resource,
) {
  const { tokenId, card, listedAt = token.mintedAt } = token
  const name = `${act}ByX402` as const
  return {
    resource: `${origin}${pathOf(name, { tokenId: `${tokenId}` })}`,
    type: 'http',
    x402Version: 2,
    accepts: [encodeTerms(dollar, { price: token.terms.dollars?.[price] ?? 0n })],
    lastUpdated: new Date(toSeconds(listedAt) * 1000).toISOString(),
    description: `${operations[name].summary}: ${card?.title ?? `token ${tokenId}`}`,
    mimeType: 'application/json',
    ...service,
    tags: [...service.tags],
    extensions: { bazaar: encodeDiscovery(act) },
  }
}
