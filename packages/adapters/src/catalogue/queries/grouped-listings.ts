import type { CataloguedToken, Page } from '@heirloom/core'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'
import { buildPage, decodeCursor, type PageEnd } from './cursor.ts'
import { decodeMember, withRenters } from './decode-rows.ts'
import {
  type Condition,
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
  listedOrder,
  listingsCursor,
  type SortedListingsQuery,
  sortKey,
} from './token-pages.ts'

/** The most items of a page that is kept. */
const mostCached = 20

const it = expressionBuilder<Database, 'token'>()

/** The most steps of a walk, each twice as long as the one before: more families are read all at once. */
const mostSteps = 4

/** Reads a page of the listings that stand for their families. A first page is kept until the catalogue changes. */
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
  const { kind } = groupedCursor(query)
  const isMet = it.and([...listingConditions(query), await showsMatch(context, query)])
  const walk = (db: QueryContext['db']) => walkListings({ ...context, db }, query, isMet)
  // The ratings are no column: their few tokens are read at once.
  const isIndexed = query.sort !== 'ratings'
  const walked = isIndexed ? await context.inReadTransaction(context.db, walk) : undefined
  const rows = walked ?? (await selectFirsts(context, query, isMet).execute())
  return buildPage(rows, {
    limit: query.limit,
    kind,
    endOf: (row) => [String(row.sortKey), row.id],
    decode: withRenters(query, decodeMember),
  })
}

/**
 * Reads the rows of a page, and one more, from as few listings as show which families come next: it
 * walks the listings in their order and reads the families that it meets. `undefined` when too many
 * of these stand elsewhere in the order.
 */
async function walkListings(context: QueryContext, query: SortedListingsQuery, isMet: Condition) {
  const { limit } = query
  const order = orderOf(query)
  const firsts: FirstRow[] = []
  const known = new Set<number>()
  let end = decodeCursor(query, groupedCursor(query))
  for (let step = 0; step < mostSteps; step++) {
    const count = 2 ** (step + 2) * (limit + 1)
    const next = await selectNext(context, query, { known, end, isMet }).limit(count).execute()
    firsts.push(...(await readFirsts(context, query, { some: next, isMet })))
    firsts.sort(order)
    // A family that was not met yet stands behind all that was walked.
    const last = next.length < count ? undefined : next.at(-1)
    if (last === undefined || firsts.filter((first) => order(first, last) <= 0).length > limit) {
      return firsts.slice(0, limit + 1)
    }
    for (const { family } of next) known.add(family)
    end = [String(last.sortKey), last.id]
  }
  return undefined
}

type Walk = {
  readonly known: ReadonlySet<number>
  readonly end: PageEnd | undefined
  readonly isMet: Condition
}

/** Selects the next listings of families that are not known yet. */
function selectNext(
  { db, abortIfSlow }: QueryContext,
  query: SortedListingsQuery,
  { known, end, isMet }: Walk,
) {
  const isNew = known.size === 0 ? [] : [it('token.family', 'not in', [...known])]
  return db
    .selectFrom('token')
    .select(['token.id', 'token.family', sortKey(query).as('sortKey')])
    .where(it.and([...isNew, abortIfSlow(it.ref('token.id')), isMet]))
    .where(end ? afterLastItem(query, end) : sql<boolean>`1 = 1`)
    .orderBy(listedOrder(query))
}

/** Reads those listings that come first in the families of some, and meet a condition. */
async function readFirsts(
  context: QueryContext,
  query: SortedListingsQuery,
  {
    some,
    isMet,
  }: { readonly some: readonly { readonly family: number }[]; readonly isMet: Condition },
): Promise<readonly FirstRow[]> {
  const met = [...new Set(some.map(({ family }) => family))]
  // An empty list is no SQL.
  if (met.length === 0) return []
  return selectFirsts(context, query, it.and([it('token.family', 'in', met), isMet])).execute()
}

type Placed = { readonly sortKey: number | string | null; readonly id: number }

/** Returns the comparison of listings in the order of a query, as the database compares them. */
function orderOf({ descending }: SortedListingsQuery) {
  return ({ sortKey: one, id }: Placed, { sortKey: other, id: otherId }: Placed): number => {
    if (one === other) return id - otherId
    return (one ?? 0) < (other ?? 0) === descending ? 1 : -1
  }
}

function groupedCursor(query: SortedListingsQuery) {
  const { kind, key } = listingsCursor(query)
  return { kind: `family-${kind}`, key }
}

/** More than every token id and every number that listings are sorted by. */
const beyond = sql.lit(10 ** 15)

/**
 * Returns the id of the first member of each family: by the ranks, the newest version first, or by price as
 * the order does. The place of a member is a text of parts of fixed widths, of which an order that descends
 * takes the greatest, so that one pass finds the first and counts all.
 */
function firstMember(query: SortedListingsQuery): RawBuilder<number> {
  const { sort, descending } = query
  const rising = (number: RawBuilder<unknown>) =>
    sql`CAST(${descending ? sql`5 * ${beyond} - (${number})` : number} AS text)`
  const standing = rising(sql`(1 + ${rankInFamily}) * ${beyond}
    + CASE WHEN ${isVersion} THEN ${beyond} - 1 - token.id ELSE 0 END`)
  const id = rising(sql`${beyond} + token.id`)
  const place = isPrice(sort)
    ? sql`${sortKey(query)} || ${standing} || ${id}`
    : sql`${standing} || CAST(${beyond} + ${sortKey(query)} AS text) || ${id}`
  const first = sql`CAST(substr(${descending ? sql`MAX` : sql`MIN`}(${place}), ${sql.lit(isPrice(sort) ? 49 : 33)}) AS bigint)`
  return descending ? sql`4 * ${beyond} - ${first}` : sql`${first} - ${beyond}`
}

/** Selects a page of the matching listings that come first of their families, and one row more. */
function selectFirsts(context: QueryContext, query: SortedListingsQuery, isMet: Condition) {
  const end = decodeCursor(query, groupedCursor(query))
  const select = selectTokens(context.db)
    .innerJoin(selectFamilies(context, query, isMet).as('first'), 'first.id', 'token.id')
    .select(['first.members', 'first.versions', sortKey(query).as('sortKey')])
    .where(end ? afterLastItem(query, end) : sql<boolean>`1 = 1`)
  return select.orderBy(listedOrder(query)).limit(query.limit + 1)
}

type FirstRow = Awaited<ReturnType<ReturnType<typeof selectFirsts>['execute']>>[number]

/** Selects the families of the matching listings, each with its first one and the numbers of all. */
const selectFamilies = (
  { db, abortIfSlow }: QueryContext,
  query: SortedListingsQuery,
  isMet: Condition,
) =>
  db
    .selectFrom('token')
    .where(abortIfSlow(it.ref('token.id')))
    .where(isMet)
    .groupBy(['token.family', 'token.title'])
    .select((on) => on.fn.countAll<number | string>().as('members'))
    .select([firstMember(query).as('id'), countVersions.as('versions')])
