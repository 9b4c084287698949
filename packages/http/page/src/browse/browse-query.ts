import type { Facets, Page, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { addressOf } from '../api/get-json.ts'
import { type CurrencyKind, currencyKinds, decimalsOf, parseAmount } from '../text/amount.ts'

/**
 * The texts of a query that select memories; each is empty for all. `format` is the one that they were
 * imported from, `maker` an account, `family` the number of a token, and the range is in units of the
 * currency.
 */
const textNames = [
  'search',
  'category',
  'tag',
  'format',
  'maker',
  'family',
  'least',
  'most',
] as const

/** The query of the browse view, as in its address. */
export type BrowseQuery = Readonly<Record<(typeof textNames)[number], string>> & {
  readonly offers: readonly Offer[]
  /** The currency of the listings; empty for all. */
  readonly currency: CurrencyKind | ''
  /** `any` finds memories with some of the words of the search; otherwise they have all. */
  readonly match: 'any' | ''
  readonly sort: Sort
}

export type Offer = 'sale' | 'rent' | 'fork'

export type Sort = keyof typeof sorts

/** The sort orders, with the names of the server and of the page. */
export const sorts = {
  newest: ['listedAt', 'desc', 'Latest listing first'],
  best: ['relevance', 'desc', 'Best match first'],
  oldest: ['listedAt', 'asc', 'Earliest listing first'],
  cheapest: ['price', 'asc', 'Lowest price'],
  dearest: ['price', 'desc', 'Highest price'],
  'cheapest-rent': ['rentalPricePerDay', 'asc', 'Lowest rent'],
  'cheapest-fork': ['forkPrice', 'asc', 'Lowest fork price'],
  rated: ['ratings', 'desc', 'Best rated'],
  rented: ['rentals', 'desc', 'Most rented'],
  forked: ['forks', 'desc', 'Most forked'],
} as const

const offerNames: readonly Offer[] = ['sale', 'rent', 'fork']

/** Parses the query of an address; invalid values are ignored. */
export function parseBrowseQuery(text: string): BrowseQuery {
  const query = new URLSearchParams(text)
  const get = (name: string) => query.get(name) ?? ''
  const sort = get('sort')
  const texts = Object.fromEntries(textNames.map((name) => [name, get(name)]))
  return {
    ...(texts as Pick<BrowseQuery, (typeof textNames)[number]>),
    offers: offerNames.filter((it) => get('offer').split(',').includes(it)),
    currency: currencyKinds.find((it) => it === get('currency')) ?? '',
    match: get('match') === 'any' ? 'any' : '',
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : defaultSort({ search: get('search') }),
  }
}

/** Returns the default order: by relevance for a search, otherwise the latest listing first. */
const defaultSort = ({ search }: Pick<BrowseQuery, 'search'>): Sort =>
  isSearchable(search) ? 'best' : 'newest'

/** Returns whether the server can search for a text: it finds prefixes of two letters or more. */
export const isSearchable = (search: string): boolean =>
  /[\p{L}\p{N}]{2}/u.test(search.normalize('NFKD').replace(/\p{M}/gu, ''))

/** Changes a query; the order stays the default one unless another was chosen. */
export function changeQuery(query: BrowseQuery, changed: Partial<BrowseQuery>): BrowseQuery {
  const next = { ...query, ...changed }
  const hasChosen = changed.sort !== undefined || query.sort !== defaultSort(query)
  return hasChosen ? next : { ...next, sort: defaultSort(next) }
}

/** Builds the address of a query. */
export function buildBrowsePath({ offers, sort, ...texts }: BrowseQuery): string {
  return withQuery('/', {
    ...texts,
    offer: offers.join(','),
    sort: sort === defaultSort(texts) ? '' : sort,
  })
}

/** Builds the request of a page of a query to the server. */
export function buildListingsPath(query: BrowseQuery): string {
  const [sort, order] = sorts[query.sort]
  // Families are shown as one, unless one of them was chosen.
  const group = query.family === '' ? 'family' : ''
  return addressOf('listings', { ...buildFilter(query), sort, order, group })
}

/** Builds the request of the numbers of the listings that match a query. */
export const buildFacetsPath = (query: BrowseQuery): string =>
  addressOf('facets', { ...buildFilter(query), sort: sorts[query.sort][0] })

/** Builds the parameters that select listings; the range applies to the price of the chosen offer. */
function buildFilter({ offers, sort: _, least, most, ...texts }: BrowseQuery) {
  const { min, max } = rangeNames[getRangedOffer({ offers })]
  const decimals = decimalsOf[getPricedCurrency(texts)]
  return {
    ...texts,
    search: isSearchable(texts.search) ? texts.search.trim() : '',
    offer: offers.join(','),
    [min]: parseAmount(least, { decimals })?.toString(),
    [max]: parseAmount(most, { decimals })?.toString(),
  }
}

const rangeNames = {
  sale: { min: 'minPrice', max: 'maxPrice' },
  rent: { min: 'minRentalPricePerDay', max: 'maxRentalPricePerDay' },
  fork: { min: 'minForkPrice', max: 'maxForkPrice' },
} as const

/** Returns the offer whose price a range applies to: the only chosen one, otherwise the sale. */
export function getRangedOffer({ offers }: Pick<BrowseQuery, 'offers'>): Offer {
  const [only, ...others] = offers
  return only === undefined || others.length > 0 ? 'sale' : only
}

/** Returns the currency of the range and the order of prices: the chosen one, otherwise the native. */
export const getPricedCurrency = ({ currency }: Pick<BrowseQuery, 'currency'>): CurrencyKind =>
  currency === '' ? 'native' : currency

/** Returns whether a query leaves out listings in dollars only because it compares prices. */
export function leavesOutDollars({ currency, sort, least, most }: BrowseQuery): boolean {
  const comparesPrices = isPriceOrder(sort) || least.trim() !== '' || most.trim() !== ''
  return currency === '' && comparesPrices
}

/** Returns the offer without which a listing is left out, because its price is compared. */
export function getComparedOffer(query: BrowseQuery): Offer | undefined {
  const hasRange = query.least.trim() !== '' || query.most.trim() !== ''
  return comparedBy[sorts[query.sort][0]] ?? (hasRange ? getRangedOffer(query) : undefined)
}

const comparedBy: Partial<Record<(typeof sorts)[Sort][0], Offer>> = {
  price: 'sale',
  rentalPricePerDay: 'rent',
  forkPrice: 'fork',
}

const prices: readonly string[] = ['price', 'rentalPricePerDay', 'forkPrice']

const isPriceOrder = (sort: Sort): boolean => prices.includes(sorts[sort][0])

/** Returns whether a query has any filter. */
export function isFiltered(query: BrowseQuery): boolean {
  const { offers, currency } = query
  return offers.length > 0 || currency !== '' || textNames.some((name) => query[name] !== '')
}

/** Returns whether a query finds every listing: no filter and no order leaves one out. */
export const hasAll = (query: BrowseQuery): boolean =>
  !isFiltered(query) && ['listedAt', 'relevance'].includes(sorts[query.sort][0])

/**
 * Describes the other matching listings of the family that a listing stands for, and in an order of
 * prices why it does; empty when there are none.
 */
export function describeOthers({ tokenId, family }: Pick<Token, 'tokenId' | 'family'>, sort: Sort) {
  if (family === undefined || family.listings < 2) return ''
  const others = family.listings - 1
  const versions = family.versions < 2 ? '' : `, ${family.versions} versions`
  const [key, , name] = sorts[sort]
  const reason = prices.includes(key) ? `; No. ${tokenId} has the ${name.toLowerCase()}` : ''
  const offers = others === 1 ? '1 more offer' : `${others} more offers`
  return `${offers} of this memory${versions}${reason}`
}

/** The number of memories with all words of a search below which those with some are worth a look. */
const few = 10

/**
 * Returns the search for some of the words that follows one for all, which found a number of memories;
 * undefined where enough were found, or a single word was.
 */
export function widenSearch(
  query: BrowseQuery,
  found: number | undefined,
): BrowseQuery | undefined {
  const words = query.search.trim().split(/\s+/).length
  const isFew = found !== undefined && (found === 0 || (words > 1 && found < few))
  const canWiden = isSearchable(query.search) && query.sort === 'best' && query.match === ''
  return isFew && canWiden ? { ...query, match: 'any' } : undefined
}

/** Says how the memories with some words of a search were found. */
export function describeWidened(
  found: number,
  { leftOut, total }: Pick<Facets, 'leftOut' | 'total'>,
) {
  const missing = leftOut.map((word) => `“${word}”`).join(', ')
  const without = missing === '' ? '' : ` Left out: ${missing}, which no memory has.`
  if (total === 0) return ''
  if (found === 0) return `No memory has all of these words; shown are the nearest.${without}`
  const all = found === 1 ? '1 memory has' : `${found} memories have`
  return `${all} all of these words; those with some of them follow.${without}`
}

/** A page that a search names directly. */
type Destination = { readonly path: string; readonly name: string }

/** Returns the page of the number or the address that a search consists of. */
export function findDestination(search: string): Destination | undefined {
  const text = search.trim()
  if (/^0x[\da-f]{40}$/i.test(text)) {
    return { path: `/account/${text}`, name: `the account ${text}` }
  }
  const [, tokenId] = /^(?:no\.?\s*|#\s*)?([1-9]\d{0,77})$/i.exec(text) ?? []
  return tokenId === undefined ? undefined : { path: `/token/${tokenId}`, name: `No. ${tokenId}` }
}

/** Describes how many offers there are, and of how many memories; without the numbers, by what is loaded. */
export function describeCount(
  { items: { length }, next }: Page<unknown>,
  facets: Pick<Facets, 'total' | 'isCut' | 'families'> | undefined,
): string {
  if (facets === undefined || facets.total === 0) {
    return next === null ? offered(length) : `More than ${offered(length)}`
  }
  const { total, isCut, families } = facets
  if (isCut) return `More than ${offered(total)}`
  return families < total
    ? `${format(families)} ${families === 1 ? 'memory' : 'memories'}, ${format(total)} offers`
    : offered(total)
}

const offered = (count: number): string =>
  count === 1 ? '1 memory is on offer' : `${format(count)} memories are on offer`

const format = (count: number): string => new Intl.NumberFormat('en').format(count)
