import type { CardQuery, ListingsFilter, PriceRange, TokensQuery } from '@heirloom/core'
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { noPrice, sortableDecimal } from '../projection/stored-event.ts'
import type { Database } from '../schema.ts'
import { bytesOf } from '../table.ts'
import { rowIdOf } from './decode-rows.ts'

const it = expressionBuilder<Database, 'token'>()

/** A condition on a token. */
export type Condition = Expression<SqlBool>

/** Returns the conditions of a query for tokens, without its search words. */
export function tokenConditions(query: TokensQuery): readonly Condition[] {
  const { tokenId, owner, contentHash, renter } = query
  const conditions: Condition[] = [...commonConditions(query)]
  if (tokenId !== undefined) conditions.push(it('token.id', '=', rowIdOf(tokenId)))
  if (owner) conditions.push(it('token.owner', '=', bytesOf(owner)))
  if (contentHash) conditions.push(it('token.contentHash', '=', bytesOf(contentHash)))
  if (renter !== undefined) {
    const rented = it
      .selectFrom('rental')
      .select('rental.tokenId')
      .where('rental.renter', '=', bytesOf(renter))
    conditions.push(it('token.id', 'in', rented))
  }
  return conditions
}

type CommonQuery = CardQuery & Pick<TokensQuery, 'creator' | 'parent'>

function commonConditions({
  creator,
  parent,
  category,
  tag,
  format,
}: CommonQuery): readonly Condition[] {
  const conditions: Condition[] = []
  if (creator) conditions.push(it('token.creator', '=', bytesOf(creator)))
  if (parent !== undefined) conditions.push(it('token.parent', '=', rowIdOf(parent)))
  if (category !== undefined) conditions.push(hasCategory(category))
  if (tag !== undefined) conditions.push(hasTag(tag))
  if (format !== undefined) conditions.push(hasFormat(format))
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

const hasFormat = (format: string): Condition =>
  it.exists(
    it
      .selectFrom('seal as its')
      .select('its.digest')
      .whereRef('its.digest', '=', 'token.digest')
      .where('its.format', '=', format),
  )

// Otherwise the owner of an erased version could let it stand for the others of its family.
const isNotErased: Condition = it(
  'token.digest',
  'not in',
  it.selectFrom('erased').select('erased.digest'),
)

const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const
const prices = ['price', 'rentalPricePerDay', 'forkPrice'] as const

/** Returns the conditions of a query for listings, without its search words. */
export function listingConditions(query: ListingsFilter): readonly Condition[] {
  const { offers = [], seller, maker, family, sort } = query
  const compared = prices.filter((name) => sort === name || isBounded(query[name]))
  const offered = prices.filter(
    (name) => compared.includes(name) || offers.some((it) => priceOf[it] === name),
  )
  const currency = query.currency ?? (compared.length > 0 ? 'native' : undefined)
  return [
    it('token.listedAt', 'is not', null),
    isNotErased,
    ...(currency ? [it('token.asset', currency === 'native' ? 'is' : 'is not', null)] : []),
    ...offered.flatMap((name) => priceConditions(name, query[name])),
    ...popularity(query),
    ...(seller ? [it('token.owner', '=', bytesOf(seller))] : []),
    ...(maker ? [it('token.maker', '=', bytesOf(maker))] : []),
    ...(family === undefined ? [] : [isOfFamily(rowIdOf(family))]),
    ...commonConditions(query),
  ]
}

/** Returns the conditions of an order by rentals, forks or ratings, which leaves out what has none. */
function popularity({ sort, rated = [] }: ListingsFilter): readonly Condition[] {
  // A literal, as for SQLite the condition of an index.
  if (sort === 'rentals' || sort === 'forks') return [it(`token.${sort}`, '>', sql.lit(0))]
  // An empty list is no SQL, and no token has the id 0.
  const ids = [0, ...rated.map(({ tokenId }) => rowIdOf(tokenId))]
  return sort === 'ratings' ? [it('token.id', 'in', ids)] : []
}

/** Returns whether a range excludes any price. */
function isBounded({ min, max }: PriceRange = {}): boolean {
  return min !== undefined || max !== undefined
}

function priceConditions(
  name: (typeof prices)[number],
  { min, max }: PriceRange = {},
): readonly Condition[] {
  const conditions: Condition[] = [it(`token.${name}`, '>', sql.lit(noPrice))]
  if (min !== undefined) conditions.push(it(`token.${name}`, '>=', sortableDecimal(min)))
  if (max !== undefined) conditions.push(it(`token.${name}`, '<=', sortableDecimal(max)))
  return conditions
}

// A family is a memory, its versions by its maker, and the licensed forks of all these, as far as
// their cards have one title.

/** Returns the condition that a token is of the family of the token with a row id. */
function isOfFamily(id: number): Expression<SqlBool> {
  const head = sql`FROM token AS head WHERE head.id = ${id}`
  return it.and([
    sql<SqlBool>`token.family = (SELECT head.family ${head})`,
    sql<SqlBool>`token.title = (SELECT head.title ${head})`,
  ])
}

/** Whether a token is a version and no fork of one. */
export const isVersion = sql<SqlBool>`token.id = token.source`

/**
 * The rank of a token in its family: a version that its first owner still has, another version, a fork.
 * Who bought a version stands for the memory only where its maker offers none.
 */
export const rankInFamily = sql<number>`CASE
  WHEN ${isVersion} AND token.owner = token.keeper THEN 0
  WHEN ${isVersion} THEN 1 ELSE 2 END`

/** Counts the versions among rows. */
export const countVersions = sql<number | string>`SUM(CASE WHEN ${isVersion} THEN 1 ELSE 0 END)`

/** Returns the places of tokens in their families in an order, and the numbers of these. */
export function placesInFamilies(order: RawBuilder<unknown>) {
  const family = sql`PARTITION BY token.family, token.title`
  return [
    sql<number>`row_number() OVER (${family} ORDER BY ${order})`.as('place'),
    sql<number | string>`count(*) OVER (${family})`.as('members'),
    sql<number | string>`${countVersions} OVER (${family})`.as('versions'),
  ] as const
}
