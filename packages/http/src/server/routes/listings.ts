import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type ListingsQuery, type Offer, tokenId, wei } from '@heirloom/core'
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

const range = (min: string | undefined, max: string | undefined) => ({
  min: read(wei, min),
  max: read(wei, max),
})

function queryFrom(it: Parameters): ListingsQuery {
  const { search, category, tag, order = 'desc' } = it
  const { sort = search === undefined ? 'listedAt' : 'relevance' } = it
  return {
    ...pageInput(it),
    ...{ search, category, tag, sort, descending: order === 'desc' },
    offers: splitList<Offer>(it.offer),
    price: range(it.minPrice, it.maxPrice),
    rentalPricePerDay: range(it.minRentalPricePerDay, it.maxRentalPricePerDay),
    forkPrice: range(it.minForkPrice, it.maxForkPrice),
    seller: read(readAddress, it.seller),
    creator: read(readAddress, it.creator),
    parent: read(tokenId, it.parent),
  }
}
