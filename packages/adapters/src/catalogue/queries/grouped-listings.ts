import { type CataloguedToken, type Page, searchWords } from '@heirloom/core'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import { lastRank } from '../full-text.ts'
import { decodeTokenId } from '../projection/stored-event.ts'
import type { Database } from '../schema.ts'
import { buildPage, decodeCursor } from './cursor.ts'
import { decodeToken, type JoinedTokenRow } from './decode-rows.ts'
import { cardTitle, countVersions, isVersion, listingConditions, rankInFamily } from './filters.ts'
import { whileUnchanged } from './memoize-reads.ts'
import { type QueryContext, selectTokens } from './select-tokens.ts'
import {
  afterLastItem,
  isPrice,
  listingsCursor,
  type SortedListingsQuery,
  sortColumns,
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
  const { sort, descending, limit } = query
  const format = groupedCursor(query)
  const end = decodeCursor(query, format)
  const select = selectTokens(context.db)
    .innerJoin(selectFirsts(context, query).as('first'), 'first.id', 'token.id')
    .where('first.place', '=', 1)
    .select(['first.members', 'first.versions'])
    .orderBy(sortColumns[sort], descending ? 'desc' : 'asc')
    .orderBy('token.id')
    .limit(limit + 1)
  const rows = await (end ? select.where(afterLastItem(query, end)) : select).execute()
  const column = sort === 'tokenId' ? 'id' : sort
  return buildPage(rows, {
    limit,
    kind: format.kind,
    endOf: (row) => [String(row[column]), row.id],
    decode: decodeMember,
  })
}

function groupedCursor(query: SortedListingsQuery) {
  const { kind, key } = listingsCursor(query)
  return { kind: `family-${kind}`, key }
}

/** Places the members of a family: by their ranks, the newest version first, or by price as the order does. */
function placeMembers({ sort, descending }: SortedListingsQuery): RawBuilder<unknown> {
  const listed = sql`${sql.ref(sortColumns[sort])} ${descending ? sql`DESC` : sql`ASC`}`
  const newest = sql`${rankInFamily}, CASE WHEN ${isVersion} THEN -token.id ELSE 0 END`
  return isPrice(sort) ? sql`${listed}, ${newest}, token.id` : sql`${newest}, ${listed}, token.id`
}

/** Selects the matching listings with their places in their families. */
function selectFirsts({ db, fullText, abortIfSlow }: QueryContext, query: SortedListingsQuery) {
  const words = searchWords(query.search ?? '')
  const family = sql`PARTITION BY token.family, ${cardTitle}`
  const place: RawBuilder<number> = sql`
    row_number() OVER (${family} ORDER BY ${placeMembers(query)})`
  const members: RawBuilder<number> = sql`count(*) OVER (${family})`
  const versions = sql<number | string>`${countVersions} OVER (${family})`
  const select = db
    .selectFrom('token')
    .select('token.id')
    .select([place.as('place'), members.as('members'), versions.as('versions')])
    .where(abortIfSlow(it.ref('token.id')))
    .where(it.and([...listingConditions(query)]))
  if (words.length === 0) return select
  const condition = { words, rank: lastRank, isExact: false }
  return select.where(fullText.namesMatch(it.ref('token.source'), condition))
}

/** The numbers of the listings and of the versions of a family. */
export type FamilyNumbers = {
  readonly members: number | string
  readonly versions: number | string
}

/** Decodes a listing that comes first of its family. */
export function decodeMember(row: JoinedTokenRow & FamilyNumbers): CataloguedToken {
  const [listings, versions] = [Number(row.members), Number(row.versions)]
  return { ...decodeToken(row), family: { tokenId: decodeTokenId(row.source), listings, versions } }
}
