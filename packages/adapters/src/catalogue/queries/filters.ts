import {
  type CardQuery,
  Failure,
  type ListingsQuery,
  type PageInput,
  type PriceRange,
  searchWords,
  type TokensQuery,
} from '@heirloom/core'
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely'
import { type FullText, lastRank } from '../full-text.ts'
import { noPrice, sortableDecimal } from '../projection/sortable-decimal.ts'
import type { Database } from '../schema.ts'
import { type CursorFormat, decodeCursor, type PageEnd } from './cursor.ts'
import { rowIdOf } from './decode-rows.ts'

/** The database of a query, and what differs between SQLite and PostgreSQL. */
export type QueryContext = {
  readonly db: Kysely<Database>
  readonly fullText: FullText
  /** Runs several reads on one state of the database. */
  readonly inReadTransaction: <T>(
    db: Kysely<Database>,
    work: (trx: Kysely<Database>) => Promise<T>,
  ) => Promise<T>
  /** Returns a condition that is true of every row, and aborts a query that takes too long. */
  readonly isInTime: (column: Expression<number>) => RawBuilder<SqlBool>
}

/** Selects tokens, joined with their cards, sources and seals. */
export function selectTokens(db: Kysely<Database>) {
  return db
    .selectFrom('token')
    .leftJoin('card', (join) =>
      join.onRef('card.tokenId', '=', 'token.source').on('card.state', '=', 'shown'),
    )
    .innerJoin('token as origin', 'origin.id', 'token.source')
    .leftJoin('seal', 'seal.digest', 'token.digest')
    .selectAll('token')
    .select(['card.card', 'origin.creator as sourceCreator'])
    .select(['seal.state as sealState', 'seal.sealedFor', 'seal.sealedContent'])
    .select((it) =>
      it
        .exists(
          it
            .selectFrom('token as elder')
            .select('elder.id')
            .whereRef('elder.digest', '=', 'token.digest')
            .whereRef('elder.creator', '=', 'origin.creator')
            .where('elder.royaltyBps', 'is', null)
            .whereRef('elder.id', '<', 'token.source')
            .whereRef('elder.contentHash', '=', 'token.contentHash'),
        )
        .as('isRepeated'),
    )
    .select((it) =>
      it
        .exists(
          it
            .selectFrom('seal as other')
            .select('other.digest')
            .whereRef('other.sealedContent', '=', 'token.contentHash')
            .where('other.state', '=', 'read')
            .where('other.sealedFor', '<>', '')
            .whereRef('other.sealedFor', '<>', 'origin.creator'),
        )
        .as('isOfAnother'),
    )
}

type TokenSelect = ReturnType<typeof selectTokens>

const it = expressionBuilder<Database, 'token'>()

/** A condition on a token. */
export type Condition = Expression<SqlBool>

/** Returns the conditions of a query for tokens, without its search words. */
export function tokenConditions(query: TokensQuery): readonly Condition[] {
  const { owner, contentHash, renter } = query
  const conditions: Condition[] = [...commonConditions(query)]
  if (owner) conditions.push(it('token.owner', '=', owner.toLowerCase()))
  if (contentHash) conditions.push(it('token.contentHash', '=', contentHash))
  if (renter !== undefined) {
    const rented = it
      .selectFrom('rental')
      .select('rental.tokenId')
      .where('rental.renter', '=', renter.toLowerCase())
    conditions.push(it('token.id', 'in', rented))
  }
  return conditions
}

type CommonQuery = CardQuery & Pick<TokensQuery, 'creator' | 'parent'>

function commonConditions({ creator, parent, category, tag }: CommonQuery): readonly Condition[] {
  const conditions: Condition[] = []
  if (creator) conditions.push(it('token.creator', '=', creator.toLowerCase()))
  if (parent !== undefined) conditions.push(it('token.parent', '=', rowIdOf(parent)))
  if (category !== undefined) conditions.push(hasCategory(category))
  if (tag !== undefined) conditions.push(hasTag(tag))
  return conditions
}

// Looked up for each token: the query ends as soon as a page is full.

const hasCategory = (category: string): Condition =>
  it.exists(
    it
      .selectFrom('card as its')
      .select('its.tokenId')
      .whereRef('its.tokenId', '=', 'token.source')
      .where('its.state', '=', 'shown')
      .where('its.category', '=', category),
  )

const hasTag = (tag: string): Condition =>
  it.exists(
    it
      .selectFrom('tag')
      .select('tag.tokenId')
      .where('tag.tag', '=', tag)
      .whereRef('tag.tokenId', '=', 'token.source'),
  )

/** Selects a page of tokens, newest first. */
export function selectTokenPage({ db, isInTime }: QueryContext, query: TokensQuery): TokenSelect {
  const end = decodeCursor(query, tokensCursor)
  const select = selectTokens(db)
    .where(isInTime(it.ref('token.id')))
    .where(it.and(tokenConditions(query)))
    .orderBy('token.id', 'desc')
    .limit(query.limit + 1)
  return end ? select.where('token.id', '<', end[1]) : select
}

/** The cursors of lists of tokens. */
export const tokensCursor: CursorFormat = { kind: 'tokens', key: /^0$/ }

const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const
const prices = ['price', 'rentalPricePerDay', 'forkPrice'] as const
const sortColumns = {
  listedAt: 'token.listedAt',
  tokenId: 'token.id',
  price: 'token.price',
  rentalPricePerDay: 'token.rentalPricePerDay',
  forkPrice: 'token.forkPrice',
} as const

/** A query for listings that sorts by a column, not by relevance. */
export type SortedListingsQuery = ListingsQuery & { readonly sort: keyof typeof sortColumns }

/** Returns the cursors of listings in the order of a query. */
export function listingsCursor({ sort, descending }: SortedListingsQuery): CursorFormat {
  const isPrice = sort !== 'listedAt' && sort !== 'tokenId'
  const key = isPrice ? /^\d{32}$/ : /^(0|[1-9]\d{0,14})$/
  return { kind: `${sort}-${descending ? 'down' : 'up'}`, key }
}

/** Returns the conditions of a query for listings, without its search words. */
export function listingConditions(query: ListingsQuery): readonly Condition[] {
  const { offers = [], seller, sort } = query
  const offered = prices.filter(
    (name) => sort === name || isBounded(query[name]) || offers.some((it) => priceOf[it] === name),
  )
  return [
    it('token.listedAt', 'is not', null),
    ...offered.flatMap((name) => priceConditions(name, query[name])),
    ...(seller ? [it('token.owner', '=', seller.toLowerCase())] : []),
    ...commonConditions(query),
  ]
}

/** Returns whether a range excludes any price. */
function isBounded({ min, max }: PriceRange = {}): boolean {
  return min !== undefined || max !== undefined
}

function priceConditions(
  name: (typeof prices)[number],
  { min, max }: PriceRange = {},
): readonly Condition[] {
  const conditions: Condition[] = [it(`token.${name}`, '>', noPrice)]
  if (min !== undefined) conditions.push(it(`token.${name}`, '>=', sortableDecimal(min)))
  if (max !== undefined) conditions.push(it(`token.${name}`, '<=', sortableDecimal(max)))
  return conditions
}

/** Selects a page of listings in the order of a query. */
export function selectListingPage(
  { db, fullText, isInTime }: QueryContext,
  query: SortedListingsQuery,
): TokenSelect {
  const { sort, descending, limit, search = '' } = query
  const end = decodeCursor(query, listingsCursor(query))
  const words = searchWords(search)
  let select = selectTokens(db)
    .where(isInTime(it.ref('token.id')))
    .where(it.and(listingConditions(query)))
    .orderBy(sortColumns[sort], descending ? 'desc' : 'asc')
    .orderBy('token.id')
    .limit(limit + 1)
  if (words.length > 0) {
    const condition = { words, rank: lastRank, isExact: false }
    select = select.where(fullText.namesMatch(it.ref('token.source'), condition))
  }
  return end ? afterEnd(select, query, end) : select
}

function afterEnd(
  select: TokenSelect,
  { sort, descending }: SortedListingsQuery,
  [key, id]: PageEnd,
): TokenSelect {
  const value = sort === 'listedAt' || sort === 'tokenId' ? Number(key) : key
  const [beyond, notBefore] = descending ? (['<', '<='] as const) : (['>', '>='] as const)
  return select
    .where(sortColumns[sort], notBefore, value)
    .where((it) => it.or([it(sortColumns[sort], beyond, value), it('token.id', '>', id)]))
}

/** Requires a limit of 1 to 100. @throws `request/malformed` */
export function requireLimit({ limit }: Pick<PageInput, 'limit'>): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return
  throw new Failure('request/malformed', { where: 'limit', problem: 'is 1 to 100' })
}
