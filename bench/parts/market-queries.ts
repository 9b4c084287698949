import { everywhere } from './large-market.ts'

const listings = (query: object) => `/api/marketplace/listings?${new URLSearchParams({ ...query })}`
const memories = (query: object) => `/api/memory?${new URLSearchParams({ ...query })}`

const most = { limit: '100' }
const owner = '0x000000000000000000000000000000000000000a'
const frequent = everywhere.join(' ')
const beginnings = [...'abcdefghijklmnop'].map((letter) => `${letter}a`).join(' ')

/** An ordinary search, for a word that is in every card. */
export const ordinarySearch = memories({ search: everywhere[0] })

/**
 * The most expensive queries: many words, frequent words, filters without a match, and long
 * responses.
 */
export const slowestQueries: Readonly<Record<string, string>> = {
  'frequent words': memories({ ...most, search: frequent }),
  'sixteen beginnings': memories({ ...most, search: beginnings }),
  'a frequent word and a tag of none': memories({ search: 'me', tag: 'none' }),
  'a frequent word and a category of none': memories({ search: 'no', category: 'none' }),
  'some of four frequent words': listings({
    ...most,
    search: frequent,
    match: 'any',
    group: 'family',
  }),
  'some of sixteen beginnings': listings({ search: beginnings, match: 'any' }),
  'a frequent word above all prices': listings({ search: 'me', minPrice: '999999' }),
  'a frequent word of a great owner': memories({ search: 'no', owner, tag: 'none' }),
  'a tag of all and one of none': memories({ tag: 'none', category: 'research' }),
  'everything, by a price': listings({
    ...most,
    search: frequent,
    sort: 'forkPrice',
    order: 'desc',
    offer: 'sale,rent,fork',
    category: 'research',
    tag: 'trading',
    minPrice: '1',
  }),
  'sixteen beginnings, by a price': listings({ search: beginnings, sort: 'price' }),
  'a great seller, by a price': listings({ ...most, seller: owner, sort: 'price' }),
  'a large family': '/api/memory/1/lineage',
  'a busy token': '/api/memory/1/rentals',
  'a long history': '/api/memory/1/history?limit=100',
  'the numbers of all listings': '/api/marketplace/facets',
  'the numbers of a frequent word': `/api/marketplace/facets?search=${encodeURIComponent('me')}`,
  'a misspelt word': '/api/marketplace/facets?search=xesaerchxx',
  'all families, by a price': listings({ ...most, group: 'family', sort: 'price' }),
  'the longest cards': listings({ ...most, sort: 'tokenId', order: 'asc' }),
}
