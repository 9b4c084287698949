import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  browsePath,
  changedQuery,
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

test('a search shows its best matches first, unless another order was chosen', () => {
  const nothing = readBrowseQuery('')
  const searched = changedQuery(nothing, { search: 'stoic' })
  expect([nothing.sort, searched.sort]).toEqual(['newest', 'best'])
  expect(browsePath(searched)).toBe('/?search=stoic')
  expect(changedQuery(searched, { search: '' })).toEqual(nothing)
  const chosen = changedQuery(changedQuery(nothing, { sort: 'cheapest' }), { search: 'stoic' })
  expect(chosen.sort).toBe('cheapest')
})

test('one letter, which the server would refuse, searches for nothing yet', () => {
  for (const search of ['s', ' \u00e9 ', 'a b', '\u0301']) {
    expect(listingsPath(changedQuery(readBrowseQuery(''), { search }))).toBe(
      '/api/marketplace/listings?sort=listedAt&order=desc',
    )
  }
  expect(listingsPath(changedQuery(readBrowseQuery(''), { search: 'st' }))).toContain('search=st&')
})
