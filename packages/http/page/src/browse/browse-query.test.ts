import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildBrowsePath,
  buildListingsPath,
  changeQuery,
  describeWidened,
  getComparedOffer,
  hasAll,
  leavesOutDollars,
  type Offer,
  parseBrowseQuery,
  type Sort,
  sorts,
  widenSearch,
} from './browse-query.ts'

const offers = fc.subarray<Offer>(['sale', 'rent', 'fork'])
const text = fc.string({ maxLength: 20 })
const queries = fc.record({
  search: text,
  offers,
  currency: fc.constantFrom('', 'native', 'dollar'),
  category: text,
  tag: text,
  format: text,
  match: fc.constantFrom('any' as const, '' as const),
  maker: text,
  family: text,
  least: text,
  most: text,
  sort: fc.constantFrom(...(Object.keys(sorts) as Sort[])),
})

test('a query survives the address of the page', () => {
  fc.assert(
    fc.property(queries, (query) => {
      expect(parseBrowseQuery(buildBrowsePath(query).slice(1))).toEqual(query)
    }),
  )
})

test('maps to the query of the server, with the range of the only chosen offer', () => {
  const query = { ...parseBrowseQuery(''), offers: ['rent'] as const, least: '0.5', most: 'x' }
  expect(buildListingsPath({ ...query, sort: 'cheapest-rent' })).toBe(
    '/api/marketplace/listings?offer=rent&minRentalPricePerDay=500000000000000000&sort=rentalPricePerDay&order=asc&group=family',
  )
})

test('a range is in the chosen currency', () => {
  const query = { ...parseBrowseQuery('?currency=dollar'), least: '2.5' }
  expect(buildListingsPath(query)).toBe(
    '/api/marketplace/listings?currency=dollar&minPrice=2500000&sort=listedAt&order=desc&group=family',
  )
})

test('says when a comparison of prices leaves out dollars', () => {
  const all = parseBrowseQuery('')
  expect(leavesOutDollars(all)).toBe(false)
  expect(leavesOutDollars({ ...all, sort: 'cheapest' })).toBe(true)
  expect(leavesOutDollars({ ...all, most: '1' })).toBe(true)
  for (const currency of ['native', 'dollar'] as const) {
    expect(leavesOutDollars({ ...all, sort: 'cheapest', currency })).toBe(false)
  }
})

test('says which offer a comparison of prices requires', () => {
  const compared = [
    '',
    'sort=oldest',
    'sort=cheapest',
    'sort=dearest',
    'sort=cheapest-rent',
    'sort=cheapest-fork',
    'least=1',
    'offer=rent&most=2',
  ].map((it) => getComparedOffer(parseBrowseQuery(it)))
  expect(compared).toEqual([
    ...[undefined, undefined, 'sale', 'sale', 'rent', 'fork', 'sale', 'rent'],
  ])
})

test('ignores unknown values of the address', () => {
  expect(parseBrowseQuery('?sort=__proto__&offer=gift&currency=euro')).toMatchObject({
    sort: 'newest',
    currency: '',
    offers: [],
  })
})

test('an empty market is only one that no filter and no order of a part of it empties', () => {
  const texts = ['', '?sort=oldest', '?sort=best', '?sort=rated', '?sort=cheapest', '?tag=a']
  const whole = texts.map((text) => hasAll(parseBrowseQuery(text)))
  expect(whole).toEqual([true, true, true, false, false, false])
})

test('sorts a search by relevance, unless another order was chosen', () => {
  const nothing = parseBrowseQuery('')
  const searched = changeQuery(nothing, { search: 'stoic' })
  expect([nothing.sort, searched.sort]).toEqual(['newest', 'best'])
  expect(buildBrowsePath(searched)).toBe('/?search=stoic')
  expect(changeQuery(searched, { search: '' })).toEqual(nothing)
  const chosen = changeQuery(changeQuery(nothing, { sort: 'cheapest' }), { search: 'stoic' })
  expect(chosen.sort).toBe('cheapest')
})

test('does not search for one letter, which the server would refuse', () => {
  for (const search of ['s', ' \u00e9 ', 'a b', '\u0301']) {
    expect(buildListingsPath(changeQuery(parseBrowseQuery(''), { search }))).toBe(
      '/api/marketplace/listings?sort=listedAt&order=desc&group=family',
    )
  }
  expect(buildListingsPath(changeQuery(parseBrowseQuery(''), { search: 'st' }))).toContain(
    'search=st&',
  )
})

test('a search that finds few memories with all words goes on to those with some', () => {
  const search = (text: string) => parseBrowseQuery(`?search=${text}`)
  expect(widenSearch(search('calm refunds'), undefined)).toBeUndefined()
  expect(widenSearch(search('calm refunds'), 10)).toBeUndefined()
  expect(widenSearch(search('calm refunds'), 9)?.match).toBe('any')
  expect(widenSearch(search('calm'), 9)).toBeUndefined()
  expect(widenSearch(search('calm'), 0)?.match).toBe('any')
  expect(widenSearch(search('calm+refunds&sort=oldest'), 0)).toBeUndefined()
  expect(buildListingsPath({ ...search('calm refunds'), match: 'any' })).toContain('match=any')
})

test('says which words of a search no memory has', () => {
  expect(describeWidened(0, { leftOut: ['3am'], total: 7 })).toBe(
    'No memory has all of these words; shown are the nearest. Left out: “3am”, which no memory has.',
  )
  expect(describeWidened(1, { leftOut: [], total: 7 })).toBe(
    '1 memory has all of these words; those with some of them follow.',
  )
  expect(describeWidened(0, { leftOut: ['zebra'], total: 0 })).toBe('')
})
