import { type ListingsQuery, searchWords, type TokensQuery } from '@heirloom/core'
import { expressionBuilder } from 'kysely'
import { lastRank } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { type CursorFormat, decodeCursor, type PageEnd } from './cursor.ts'
import { type Condition, listingConditions, tokenConditions } from './filters.ts'
import { type QueryContext, selectTokens, type TokenSelect } from './select-tokens.ts'

const expressions = expressionBuilder<Database, 'token'>()

/** Selects a page of tokens, newest first. */
export function selectTokenPage(
  { db, abortIfSlow }: QueryContext,
  query: TokensQuery,
): TokenSelect {
  const end = decodeCursor(query, tokensCursor)
  const select = selectTokens(db)
    .where(abortIfSlow(expressions.ref('token.id')))
    .where(expressions.and(tokenConditions(query)))
    .orderBy('token.id', 'desc')
    .limit(query.limit + 1)
  return end ? select.where('token.id', '<', end[1]) : select
}

/** The format of cursors of lists of tokens. Tokens are sorted by id alone: the sort key is 0. */
export const tokensCursor: CursorFormat = { kind: 'tokens', key: /^0$/ }

/** The columns that listings can be sorted by. */
export const sortColumns = {
  listedAt: 'token.listedAt',
  tokenId: 'token.id',
  price: 'token.price',
  rentalPricePerDay: 'token.rentalPricePerDay',
  forkPrice: 'token.forkPrice',
} as const

/** A query for listings that sorts by a column, not by relevance. */
export type SortedListingsQuery = ListingsQuery & { readonly sort: keyof typeof sortColumns }

/** Returns whether an order of listings is one of prices. */
export const isPrice = (sort: SortedListingsQuery['sort']): boolean =>
  sort !== 'listedAt' && sort !== 'tokenId'

/** Returns the cursors of listings in the order of a query. */
export function listingsCursor(query: SortedListingsQuery): CursorFormat {
  const { sort, descending, currency } = query
  const unit = isPrice(sort) && currency === 'dollar' ? 'dollar-' : ''
  // A price is written as by `sortableDecimal`.
  const key = isPrice(sort) ? /^\d{32}$/ : /^(0|[1-9]\d{0,14})$/
  return { kind: `${unit}${sort}-${descending ? 'down' : 'up'}`, key }
}

/** Selects a page of listings in the order of a query. */
export function selectListingPage(
  { db, fullText, abortIfSlow }: QueryContext,
  query: SortedListingsQuery,
): TokenSelect {
  const { sort, descending, limit, search = '' } = query
  const end = decodeCursor(query, listingsCursor(query))
  const words = searchWords(search)
  let select = selectTokens(db)
    .where(abortIfSlow(expressions.ref('token.id')))
    .where(expressions.and(listingConditions(query)))
    .orderBy(sortColumns[sort], descending ? 'desc' : 'asc')
    .orderBy('token.id')
    .limit(limit + 1)
  if (words.length > 0) {
    const condition = { words, rank: lastRank, isExact: false }
    select = select.where(fullText.namesMatch(expressions.ref('token.source'), condition))
  }
  return end ? select.where(afterLastItem(query, end)) : select
}

/** Returns the condition that a row comes after the last item of a page. */
export function afterLastItem(
  { sort, descending }: SortedListingsQuery,
  [key, id]: PageEnd,
): Condition {
  const value = sort === 'listedAt' || sort === 'tokenId' ? Number(key) : key
  // The first condition lets the database use the index; the second leaves out what was shown.
  const [strictly, orEqual] = descending ? (['<', '<='] as const) : (['>', '>='] as const)
  const column = sortColumns[sort]
  return expressions.and([
    expressions(column, orEqual, value),
    expressions.or([expressions(column, strictly, value), expressions('token.id', '>', id)]),
  ])
}
