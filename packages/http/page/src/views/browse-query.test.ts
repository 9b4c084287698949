import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  browsePath,
  listingsPath,
  type Offer,
  readBrowseQuery,
  type Sort,
  sorts,
} from './browse-query.ts'

const offers = fc.subarray<Offer>(['sale', 'rent', 'fork'])
const text = fc.string({ maxLength: 20 })
const queries = fc.record({
  search: text,
  offers,
  category: text,
  tag: text,
  creator: text,
  least: text,
  most: text,
  sort: fc.constantFrom(...(Object.keys(sorts) as Sort[])),
})

test('what is looked for is read back from the address of the page', () => {
  fc.assert(
    fc.property(queries, (query) => {
      expect(readBrowseQuery(browsePath(query).slice(1))).toEqual(query)
    }),
  )
})

test('the server is asked in its own words, with the range of the only offer chosen', () => {
  const query = { ...readBrowseQuery(''), offers: ['rent'] as const, least: '0.5', most: 'x' }
  expect(listingsPath({ ...query, sort: 'cheapest-rent' })).toBe(
    '/api/marketplace/listings?offer=rent&minRentalPricePerDay=500000000000000000&sort=rentalPricePerDay&order=asc',
  )
})

test('an address that means nothing shows everything', () => {
  expect(readBrowseQuery('?sort=__proto__&offer=gift')).toMatchObject({
    sort: 'newest',
    offers: [],
  })
})
