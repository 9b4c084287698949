import type { CataloguedToken, Page } from '@heirloom/core'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'
import { buildPage, decodeCursor } from './cursor.ts'
import { decodeMember } from './decode-rows.ts'
import {
  type Condition,
  cardTitle,
  countVersions,
  isVersion,
  listingConditions,
  rankInFamily,
} from './filters.ts'
import { whileUnchanged } from './memoize-reads.ts'
import { showsMatch } from './scored-search.ts'
import { type QueryContext, selectTokens } from './select-tokens.ts'
import {
  afterLastItem,
  isPrice,
  listingsCursor,
  type SortedListingsQuery,
  sortKey,
} from './token-pages.ts'

/** The most items of a page that is kept. */
const mostCached = 20

const it = expressionBuilder<Database, 'token'>()

/**
 * Reads a page of the listings that stand for their families. All matching listings are read for it,
 * and so a first page is kept until the catalogue changes.
 */
export function readGroupedListings(
  context: QueryContext,
  query: SortedListingsQuery,
): Promise<Page<CataloguedToken>> {
  // Cards are long, so only what most visitors read first is kept.
  const isRetained = query.after === undefined && query.limit <= mostCached
  const read = () => readPage(context, query)
  return isRetained ? whileUnchanged(context, ['grouped', query], read) : read()
}

async function readPage(context: QueryContext, query: SortedListingsQuery) {
  const { descending, limit } = query
  const format = groupedCursor(query)
  const end = decodeCursor(query, format)
  const firsts = selectFirsts(context, query, await showsMatch(context, query))
  const select = selectTokens(context.db)
    .innerJoin(firsts.as('first'), 'first.id', 'token.id')
    .where('first.place', '=', 1)
    .select(['first.members', 'first.versions', sortKey(query).as('sortKey')])
    .orderBy(sortKey(query), descending ? 'desc' : 'asc')
    .orderBy('token.id')
    .limit(limit + 1)
  const rows = await (end ? select.where(afterLastItem(query, end)) : select).execute()
  return buildPage(rows, {
    limit,
    kind: format.kind,
    endOf: (row) => [String(row.sortKey), row.id],
    decode: decodeMember,
  })
}

function groupedCursor(query: SortedListingsQuery) {
  const { kind, key } = listingsCursor(query)
  return { kind: `family-${kind}`, key }
}

/** Places the members of a family: by their ranks, the newest version first, or by price as the order does. */
function placeMembers(query: SortedListingsQuery): RawBuilder<unknown> {
  const listed = sql`${sortKey(query)} ${query.descending ? sql`DESC` : sql`ASC`}`
  const newest = sql`${rankInFamily}, CASE WHEN ${isVersion} THEN -token.id ELSE 0 END`
  return isPrice(query.sort)
    ? sql`${listed}, ${newest}, token.id`
    : sql`${newest}, ${listed}, token.id`
}

/** Selects the matching listings with their places in their families. */
function selectFirsts(
  { db, abortIfSlow }: QueryContext,
  query: SortedListingsQuery,
  isFound: Condition,
) {
  const family = sql`PARTITION BY token.family, ${cardTitle}`
  const place: RawBuilder<number> = sql`
    row_number() OVER (${family} ORDER BY ${placeMembers(query)})`
  const members: RawBuilder<number> = sql`count(*) OVER (${family})`
  const versions = sql<number | string>`${countVersions} OVER (${family})`
  return db
    .selectFrom('token')
    .select('token.id')
    .select([place.as('place'), members.as('members'), versions.as('versions')])
    .where(abortIfSlow(it.ref('token.id')))
    .where(it.and([...listingConditions(query), isFound]))
}
