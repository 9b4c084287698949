import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type Catalogue,
  type Dollars,
  dollars,
  type Facets,
  type ListingsFilter,
  type ListingsQuery,
  type Offer,
  type PriceRanges,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import {
  FacetsParameters,
  ListingsParameters,
  pageInput,
  read,
  splitList,
} from '../../api/catalogue-queries.ts'
import { FacetsRecord, pageRecord, TokenRecord } from '../../api/catalogue-schemas.ts'
import { anyCatalogueRead, problemResponses } from '../../api/problem-responses.ts'
import { printToken } from '../printing/print-token.ts'

const facetsSchema = {
  operationId: 'facets',
  tags: ['marketplace'],
  summary: 'Count live listings',
  description:
    'Returns how many live listings match every parameter, and how many of them have each category, tag, creator, offer and currency. Adding such a value to the query leaves as many listings.',
  querystring: FacetsParameters,
  response: {
    200: FacetsRecord,
    ...problemResponses([...anyCatalogueRead, 'value/invalid']),
  },
}

const schema = {
  operationId: 'listings',
  tags: ['marketplace'],
  summary: 'Find live listings',
  description:
    'Returns the live listings that match every parameter. Over all pages each listing appears once, also if others are listed or taken down meanwhile.',
  querystring: ListingsParameters,
  response: {
    200: pageRecord(TokenRecord, 'Tokens that are listed.'),
    ...problemResponses([...anyCatalogueRead, 'value/invalid']),
  },
}

/** `GET /api/marketplace/listings` and `GET /api/marketplace/facets` */
export const listingsRoute =
  ({ listings, facets }: Pick<Catalogue, 'listings' | 'facets'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/marketplace/facets', { schema: facetsSchema }, async ({ query }) =>
      printFacets(await facets(filterFrom(query))),
    )
    app.get('/api/marketplace/listings', { schema }, async ({ query }) => {
      const { items, next } = await listings(queryFrom(query))
      return { items: items.map(printToken), next: next ?? null }
    })
  }

type Parameters = Static<typeof FacetsParameters>

const range = <Amount extends Wei | Dollars>(
  unit: (text: string) => Amount,
  min: string | undefined,
  max: string | undefined,
) => ({ min: read(unit, min), max: read(unit, max) })

const ranges = <Amount extends Wei | Dollars>(
  unit: (text: string) => Amount,
  it: Parameters,
): PriceRanges<Amount> => ({
  price: range(unit, it.minPrice, it.maxPrice),
  rentalPricePerDay: range(unit, it.minRentalPricePerDay, it.maxRentalPricePerDay),
  forkPrice: range(unit, it.minForkPrice, it.maxForkPrice),
})

function filterFrom(it: Parameters): ListingsFilter {
  const { search, category, tag } = it
  const { sort = search === undefined ? 'listedAt' : 'relevance' } = it
  return {
    ...{ search, category, tag, sort },
    offers: splitList<Offer>(it.offer),
    ...(it.currency === 'dollar'
      ? { currency: it.currency, ...ranges(dollars, it) }
      : { currency: it.currency, ...ranges(wei, it) }),
    seller: read(readAddress, it.seller),
    creator: read(readAddress, it.creator),
    maker: read(readAddress, it.maker),
    parent: read(tokenId, it.parent),
    family: read(tokenId, it.family),
  }
}

function queryFrom(it: Static<typeof ListingsParameters>): ListingsQuery {
  const { order = 'desc', group } = it
  return { ...pageInput(it), ...filterFrom(it), descending: order === 'desc', group }
}

const printFacets = ({ categories, tags, makers, correction, ...numbers }: Facets) => ({
  ...numbers,
  ...{ categories: [...categories], tags: [...tags], makers: [...makers] },
  correction: correction ?? null,
})
