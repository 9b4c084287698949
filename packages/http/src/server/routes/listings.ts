import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type Catalogue,
  type Dollars,
  dollars,
  type ListingsQuery,
  type Offer,
  type PriceRanges,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import { ListingsParameters, pageInput, read, splitList } from '../../api/catalogue-queries.ts'
import { pageRecord, TokenRecord } from '../../api/catalogue-schemas.ts'
import { anyCatalogueRead, problemResponses } from '../../api/problem-responses.ts'
import { printToken } from '../printing/print-token.ts'

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

/** `GET /api/marketplace/listings` */
export const listingsRoute =
  ({ listings }: Pick<Catalogue, 'listings'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/marketplace/listings', { schema }, async ({ query }) => {
      const { items, next } = await listings(queryFrom(query))
      return { items: items.map(printToken), next: next ?? null }
    })
  }

type Parameters = Static<typeof ListingsParameters>

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

function queryFrom(it: Parameters): ListingsQuery {
  const { search, category, tag, order = 'desc' } = it
  const { sort = search === undefined ? 'listedAt' : 'relevance' } = it
  return {
    ...pageInput(it),
    ...{ search, category, tag, sort, descending: order === 'desc' },
    offers: splitList<Offer>(it.offer),
    ...(it.currency === 'dollar'
      ? { currency: it.currency, ...ranges(dollars, it) }
      : { currency: it.currency, ...ranges(wei, it) }),
    seller: read(readAddress, it.seller),
    creator: read(readAddress, it.creator),
    parent: read(tokenId, it.parent),
  }
}
