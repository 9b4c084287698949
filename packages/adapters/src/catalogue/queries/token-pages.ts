import type { ListingsQuery, TokensQuery } from '@heirloom/core'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'
import { type CursorFormat, decodeCursor, type PageEnd } from './cursor.ts'
import { rowIdOf } from './decode-rows.ts'
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

/** The values that listings can be sorted by. */
const sortKeys = {
  listedAt: sql.ref('token.listedAt'),
  tokenId: sql.ref('token.id'),
  price: sql.ref('token.price'),
  rentalPricePerDay: sql.ref('token.rentalPricePerDay'),
  forkPrice: sql.ref('token.forkPrice'),
  rentals: sql.ref('token.rentals'),
  forks: sql.ref('token.forks'),
} as const

/** A query for listings that sorts by a value of each, not by relevance. */
export type SortedListingsQuery = ListingsQuery & {
  readonly sort: keyof typeof sortKeys | 'ratings'
}

/** Returns the value that an order sorts listings by: a number, or a price as a text. */
export const sortKey = ({ sort, rated }: Pick<SortedListingsQuery, 'sort' | 'rated'>) =>
  (sort === 'ratings' ? worthOf(rated) : sortKeys[sort]) as RawBuilder<number | string | null>

// Numbers in the text of the query: PostgreSQL takes a parameter of a CASE for a text.
const worthOf = (rated: ListingsQuery['rated'] = []) =>
  sql.raw(
    `CASE token.id ${rated.map((it) => `WHEN ${rowIdOf(it.tokenId)} THEN ${it.worth}`).join(' ')} WHEN 0 THEN 0 END`,
  )

/** Returns whether an order of listings is one of prices. */
export const isPrice = (sort: SortedListingsQuery['sort']): boolean =>
  sort === 'price' || sort === 'rentalPricePerDay' || sort === 'forkPrice'

/** Returns the order that a query asks for; the lower id breaks ties. */
export const listedOrder = (query: SortedListingsQuery): RawBuilder<unknown> =>
  sql`${sortKey(query)} ${sql.raw(query.descending ? 'DESC' : 'ASC')}, token.id`

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
  { db, abortIfSlow }: QueryContext,
  query: SortedListingsQuery,
  isFound: Condition,
) {
  const end = decodeCursor(query, listingsCursor(query))
  return selectTokens(db)
    .select(sortKey(query).as('sortKey'))
    .where(abortIfSlow(expressions.ref('token.id')))
    .where(expressions.and([...listingConditions(query), isFound]))
    .where(end ? afterLastItem(query, end) : sql<boolean>`1 = 1`)
    .orderBy(listedOrder(query))
    .limit(query.limit + 1)
}

/** Returns the condition that a row comes after the last item of a page. */
export function afterLastItem(
  { sort, rated, descending }: SortedListingsQuery,
  [key, id]: PageEnd,
): Condition {
  const value = isPrice(sort) ? key : Number(key)
  // The first condition lets the database use the index; the second leaves out what was shown.
  const [strictly, orEqual] = descending ? (['<', '<='] as const) : (['>', '>='] as const)
  const column = sortKey({ sort, rated })
  return expressions.and([
    expressions(column, orEqual, value),
    expressions.or([expressions(column, strictly, value), expressions('token.id', '>', id)]),
  ])
}
