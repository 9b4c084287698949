import {
  type Account,
  type CardQuery,
  type CataloguedToken,
  type ListingsQuery,
  type Offer,
  type PriceRange,
  sameAccount,
  searchRank,
  searchWords,
  type TokensQuery,
  type Wei,
} from '@heirloom/core'
import type { Order } from './catalogue-pages.ts'

const newestFirst: Order<CataloguedToken> = {
  name: 'tokens',
  descending: true,
  placeOf: ({ tokenId }) => [tokenId, 0n],
}

/** Returns the order in which tokens are told. */
export const tokensOrder = (): Order<CataloguedToken> => newestFirst

/** Returns the order in which a query wants its listings, where that is no matter of words. */
export function listingsOrder({ sort, descending }: ListingsQuery): Order<CataloguedToken> {
  if (sort === 'relevance') return newestFirst
  return {
    name: `${sort}-${descending ? 'down' : 'up'}`,
    descending,
    placeOf: (token) => [sortKey(token, sort), token.tokenId],
  }
}

type SortKey = Exclude<ListingsQuery['sort'], 'relevance'>

function sortKey(token: CataloguedToken, sort: SortKey): bigint {
  if (sort === 'listedAt') return BigInt(token.listedAt ?? 0)
  return sort === 'tokenId' ? token.tokenId : token.terms[sort]
}

const priced = ['price', 'rentalPricePerDay', 'forkPrice'] as const
const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const

/** Tells whether a live listing is wanted. */
export function isListingWanted(token: CataloguedToken, query: ListingsQuery): boolean {
  const { offers = [], sort, seller, creator, parent } = query
  const offered = (offer: Offer) => token.terms[priceOf[offer]] > 0n
  const isOffered = (name: (typeof priced)[number]) => token.terms[name] > 0n
  return (
    offers.every(offered) &&
    priced.every((name) => isWithin(token.terms[name], query[name])) &&
    priced.every((name) => name !== sort || isOffered(name)) &&
    isBy(token.owner, seller) &&
    isBy(token.creator, creator) &&
    isEqual(token.parent, parent) &&
    isCardWanted(token.card, query)
  )
}

/** Tells whether a token of some renters is wanted. */
export function isTokenWanted(
  token: CataloguedToken,
  renters: Iterable<Account>,
  query: TokensQuery,
): boolean {
  const { owner, creator, parent, contentHash, renter } = query
  return (
    isBy(token.owner, owner) &&
    isBy(token.creator, creator) &&
    isEqual(token.parent, parent) &&
    isEqual(token.contentHash, contentHash) &&
    (renter === undefined || [...renters].some((other) => isBy(other, renter))) &&
    isCardWanted(token.card, query)
  )
}

/** A range of prices wants an offer of that way. */
function isWithin(price: Wei, range: PriceRange | undefined): boolean {
  if (range?.min === undefined && range?.max === undefined) return true
  return price > 0n && price >= (range.min ?? 0n) && price <= (range.max ?? price)
}

const isBy = (account: Account, wanted: Account | undefined) =>
  wanted === undefined || sameAccount(account, wanted)

const isEqual = <T>(value: T, wanted: T | undefined) => wanted === undefined || value === wanted

function isCardWanted(
  card: CataloguedToken['card'],
  { search, category, tag }: CardQuery,
): boolean {
  const words = searchWords(search ?? '')
  return (
    (words.length === 0 || (card !== undefined && searchRank(card, words) !== undefined)) &&
    isEqual(card?.category, category) &&
    (tag === undefined || card?.tags?.includes(tag) === true)
  )
}
