import { withQuery } from '../../../src/client/transport/with-query.ts'
import { parseEther } from '../text/ether.ts'

/** What somebody looks for; as in the address of the page, prices in ether. */
export type BrowseQuery = {
  readonly search: string
  readonly offers: readonly Offer[]
  readonly category: string
  readonly tag: string
  readonly creator: string
  readonly least: string
  readonly most: string
  readonly sort: Sort
}

export type Offer = 'sale' | 'rent' | 'fork'
export type Sort = keyof typeof sorts

/** The orders that a person can choose, and what the server calls them. */
export const sorts = {
  newest: ['listedAt', 'desc', 'Newest first'],
  best: ['relevance', 'desc', 'Best match first'],
  oldest: ['listedAt', 'asc', 'Oldest first'],
  cheapest: ['price', 'asc', 'Cheapest to buy'],
  dearest: ['price', 'desc', 'Dearest to buy'],
  'cheapest-rent': ['rentalPricePerDay', 'asc', 'Cheapest to rent'],
  'cheapest-fork': ['forkPrice', 'asc', 'Cheapest to fork'],
} as const

const offerNames: readonly Offer[] = ['sale', 'rent', 'fork']

/** Reads what the address of the page looks for; what it cannot mean is left out. */
export function readBrowseQuery(text: string): BrowseQuery {
  const query = new URLSearchParams(text)
  const get = (name: string) => query.get(name) ?? ''
  const sort = get('sort')
  return {
    search: get('search'),
    offers: offerNames.filter((it) => get('offer').split(',').includes(it)),
    category: get('category'),
    tag: get('tag'),
    creator: get('creator'),
    least: get('least'),
    most: get('most'),
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : usualSort({ search: get('search') }),
  }
}

/** Returns the order of those who chose none: the best match of what is searched for, or the newest. */
function usualSort({ search }: Pick<BrowseQuery, 'search'>): Sort {
  return isSearchable(search) ? 'best' : 'newest'
}

// The server finds words by their beginnings, from two letters on.
const isSearchable = (search: string): boolean =>
  /[\p{L}\p{N}]{2}/u.test(search.normalize('NFKD').replace(/\p{M}/gu, ''))

/** Changes what is looked for; who chose no order gets the usual one of what is looked for then. */
export function changedQuery(query: BrowseQuery, changed: Partial<BrowseQuery>): BrowseQuery {
  const next = { ...query, ...changed }
  const hasChosen = changed.sort !== undefined || query.sort !== usualSort(query)
  return hasChosen ? next : { ...next, sort: usualSort(next) }
}

/** Returns the address of the page that looks for something. */
export function browsePath({ offers, sort, ...texts }: BrowseQuery): string {
  return withQuery('/', {
    ...texts,
    offer: offers.join(','),
    sort: sort === usualSort(texts) ? '' : sort,
  })
}

/** Returns the question to the server; the range is of the price by which it is looked for. */
export function listingsPath(query: BrowseQuery, after?: string): string {
  const [sort, order] = sorts[query.sort]
  const { min, max } = rangeNames[rangedBy(query)]
  return withQuery('/api/marketplace/listings', {
    search: isSearchable(query.search) ? query.search.trim() : '',
    offer: query.offers.join(','),
    category: query.category,
    tag: query.tag,
    creator: query.creator,
    [min]: parseEther(query.least)?.toString(),
    [max]: parseEther(query.most)?.toString(),
    sort,
    order,
    after,
  })
}

const rangeNames = {
  sale: { min: 'minPrice', max: 'maxPrice' },
  rent: { min: 'minRentalPricePerDay', max: 'maxRentalPricePerDay' },
  fork: { min: 'minForkPrice', max: 'maxForkPrice' },
} as const

/** Returns which price a range speaks of: that of the only offer chosen, or else that of a sale. */
export function rangedBy({ offers }: Pick<BrowseQuery, 'offers'>): Offer {
  const [only, ...others] = offers
  return only === undefined || others.length > 0 ? 'sale' : only
}

/** Tells whether somebody looks for anything in particular. */
export function isNarrowed(query: BrowseQuery): boolean {
  const { search, offers, category, tag, creator, least, most } = query
  return offers.length > 0 || [search, category, tag, creator, least, most].some((it) => it !== '')
}
