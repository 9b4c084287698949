import {
  type Account,
  type CardQuery,
  type CataloguedToken,
  type Currency,
  type ListingsFilter,
  type ListingsQuery,
  type Offer,
  type PriceRange,
  sameAccount,
  searchRank,
  searchScore,
  searchWords,
  type TokensQuery,
  type WeightedWord,
} from '@heirloom/core'
import { formatOf, type Order } from './pages.ts'

const newestFirst: Order<CataloguedToken> = {
  name: 'tokens',
  descending: true,
  keyOf: ({ tokenId }) => [tokenId, 0n],
}

/** Returns the order of token pages. */
export const tokensOrder = (): Order<CataloguedToken> => newestFirst

/** Returns the order that a query requests for its listings, when it does not search for words. */
export function listingsOrder(
  { sort, rated, descending, currency }: ListingsQuery,
  numbers: Numbers,
): Order<CataloguedToken> {
  if (sort === 'relevance') return newestFirst
  const unit = isPrice(sort) && currency === 'dollar' ? 'dollar-' : ''
  return {
    name: `${unit}${sort}-${descending ? 'down' : 'up'}`,
    descending,
    keyOf: (token) => [sortKey(token, { sort, rated }, numbers), token.tokenId],
  }
}

type SortKey = Exclude<ListingsQuery['sort'], 'relevance'>
type PriceName = (typeof priced)[number]

/** Returns whether a sort key is a price. */
export const isPrice = (sort: ListingsFilter['sort']): sort is PriceName =>
  priced.some((name) => name === sort)

const offeredPrice = ({ terms }: CataloguedToken, name: PriceName): bigint =>
  (terms.dollars ?? terms)[name]

/** Returns how many accounts rented a token, and how many licensed forks it has. */
export type Numbers = (token: CataloguedToken) => Readonly<Record<'rentals' | 'forks', number>>

/** Returns what the ratings of a token are worth; `undefined` for none. */
export const worthOf = (
  { tokenId }: CataloguedToken,
  rated: ListingsFilter['rated'],
): number | undefined => rated?.find((it) => it.tokenId === tokenId)?.worth

type Sorted = Pick<ListingsFilter, 'rated'> & { readonly sort: SortKey }

function sortKey(token: CataloguedToken, { sort, rated }: Sorted, numbers: Numbers): bigint {
  if (sort === 'ratings') return BigInt(worthOf(token, rated) ?? 0)
  if (sort === 'rentals' || sort === 'forks') return BigInt(numbers(token)[sort])
  if (sort === 'listedAt') return BigInt(token.listedAt ?? 0)
  return sort === 'tokenId' ? token.tokenId : offeredPrice(token, sort)
}

const priced = ['price', 'rentalPricePerDay', 'forkPrice'] as const
const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const

/** Returns whether a live listing matches a query. */
export function matchesListingsFilter(
  token: CataloguedToken,
  query: ListingsFilter,
  some: readonly WeightedWord[],
): boolean {
  const { offers = [], sort, seller, creator, maker, parent } = query
  const isOffered = (name: PriceName) => offeredPrice(token, name) > 0n
  return (
    isIn(token, currencyOfQuery(query)) &&
    offers.every((offer) => makesOffer(token, offer)) &&
    priced.every((name) => isWithin(offeredPrice(token, name), query[name])) &&
    priced.every((name) => name !== sort || isOffered(name)) &&
    isBy(token.owner, seller) &&
    isBy(token.creator, creator) &&
    isBy(token.source?.creator ?? token.creator, maker) &&
    isEqual(token.parent, parent) &&
    matchesCardQuery(token, query, some)
  )
}

/** Returns whether a token with these renters matches a query. */
export function matchesTokensQuery(
  token: CataloguedToken,
  renters: Iterable<Account>,
  query: TokensQuery,
  some: readonly WeightedWord[],
): boolean {
  const { tokenId, owner, creator, parent, contentHash, renter } = query
  return (
    isEqual(token.tokenId, tokenId) &&
    isBy(token.owner, owner) &&
    isBy(token.creator, creator) &&
    isEqual(token.parent, parent) &&
    isEqual(token.contentHash, contentHash) &&
    (renter === undefined || [...renters].some((other) => isBy(other, renter))) &&
    matchesCardQuery(token, query, some)
  )
}

/** Returns the currency of the listings that match a query; `undefined` for any. */
function currencyOfQuery(query: ListingsFilter): Currency | undefined {
  const comparesPrices = isPrice(query.sort) || priced.some((name) => isBounded(query[name]))
  return query.currency ?? (comparesPrices ? 'native' : undefined)
}

/** Returns whether a listing makes an offer. */
export const makesOffer = (token: CataloguedToken, offer: Offer): boolean =>
  offeredPrice(token, priceOf[offer]) > 0n

const isIn = ({ terms }: CataloguedToken, currency: Currency | undefined) =>
  currency === undefined || currency === (terms.dollars === undefined ? 'native' : 'dollar')

const isBounded = (range: PriceRange | undefined) =>
  range?.min !== undefined || range?.max !== undefined

/** Returns whether a price is in a range; a range matches no offer that is not made. */
function isWithin(price: bigint, range: PriceRange | undefined): boolean {
  if (range === undefined || !isBounded(range)) return true
  return price > 0n && price >= (range.min ?? 0n) && price <= (range.max ?? price)
}

const isBy = (account: Account, expected: Account | undefined) =>
  expected === undefined || sameAccount(account, expected)

const isEqual = <T>(value: T, expected: T | undefined) =>
  expected === undefined || value === expected

function matchesCardQuery(
  token: CataloguedToken,
  { search, match, category, tag, format }: CardQuery,
  some: readonly WeightedWord[],
): boolean {
  const { card } = token
  const words = searchWords(search ?? '')
  const hasWords = () =>
    card !== undefined &&
    (match === 'any'
      ? searchScore(card, some, formatOf(token)) > 0
      : searchRank(card, words, formatOf(token)) !== undefined)
  return (
    (words.length === 0 || hasWords()) &&
    isEqual(card?.category, category) &&
    (tag === undefined || card?.tags?.includes(tag) === true) &&
    (format === undefined || formatOf(token) === format)
  )
}
