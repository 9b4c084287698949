import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type ListingsQuery, type Offer, tokenId, wei } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../address.ts'
import {
  accountIn,
  cardQuery,
  decimalIn,
  itemsOf,
  pageInput,
  pageQuery,
  queryOf,
  read,
  wordIn,
  wordsIn,
} from '../catalogue-queries.ts'
import { pageRecord, TokenRecord } from '../catalogue-schemas.ts'
import { printedToken } from '../printed-token.ts'
import { anyRequest, problems } from '../schemas.ts'

const least = (price: string) => decimalIn(`The least ${price}, in wei.`, '1000000000000000')
const most = (price: string) => decimalIn(`The most ${price}, in wei.`, '1000000000000000000')

const ListingsParameters = queryOf({
  offer: wordsIn(['sale', 'rent', 'fork'], 'Every way in which it must be offered.'),
  minPrice: least('price'),
  maxPrice: most('price'),
  minRentalPricePerDay: least('rent of a day'),
  maxRentalPricePerDay: most('rent of a day'),
  minForkPrice: least('price of a fork'),
  maxForkPrice: most('price of a fork'),
  seller: accountIn('Who offers it.'),
  creator: accountIn('Who made it.'),
  parent: decimalIn('The token it grew from.', '1'),
  ...cardQuery,
  sort: wordIn(
    ['listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice'],
    'The order; by a price, only what is offered that way is told. By the time of listing when absent.',
  ),
  order: wordIn(['desc', 'asc'], 'The greatest first, which is so when absent, or the least.'),
  ...pageQuery,
})

const schema = {
  operationId: 'listings',
  tags: ['marketplace'],
  summary: 'Find what is offered',
  description:
    'Tells live listings that match all that is asked for. Page by page each one is told once, whatever else is listed or taken down meanwhile.',
  querystring: ListingsParameters,
  response: {
    200: pageRecord(TokenRecord, 'Tokens that are listed.'),
    ...problems([...anyRequest, 'catalogue/unavailable', 'value/invalid']),
  },
}

/** `GET /api/marketplace/listings` */
export const listingsRoute =
  ({ listings }: Pick<Catalogue, 'listings'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/marketplace/listings', { schema }, async ({ query }) => {
      const { items, next } = await listings(queryFrom(query))
      return { items: items.map(printedToken), next: next ?? null }
    })
  }

type Parameters = Static<typeof ListingsParameters>

const range = (min: string | undefined, max: string | undefined) => ({
  min: read(wei, min),
  max: read(wei, max),
})

function queryFrom(it: Parameters): ListingsQuery {
  const { search, category, tag, sort = 'listedAt', order = 'desc' } = it
  return {
    ...pageInput(it),
    ...{ search, category, tag, sort, descending: order === 'desc' },
    offers: itemsOf<Offer>(it.offer),
    price: range(it.minPrice, it.maxPrice),
    rentalPricePerDay: range(it.minRentalPricePerDay, it.maxRentalPricePerDay),
    forkPrice: range(it.minForkPrice, it.maxForkPrice),
    seller: read(readAddress, it.seller),
    creator: read(readAddress, it.creator),
    parent: read(tokenId, it.parent),
  }
}
