import type { CataloguedToken, Page, PageInput } from '@heirloom/core'
import { expressionBuilder, sql } from 'kysely'
import { lastRank } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { buildPage, decodeCursor } from './cursor.ts'
import { decodeToken, type JoinedTokenRow } from './decode-rows.ts'
import type { Condition } from './filters.ts'
import { decodeMember } from './grouped-listings.ts'
import { type QueryContext, selectTokens } from './select-tokens.ts'

export declare namespace rankedSearch {
  type Input = PageInput & {
    readonly words: readonly string[]
    readonly conditions: readonly Condition[]
    /** `family` returns of the tokens that show one card only its source, or else the newest. */
    readonly group?: 'family' | undefined
    /** The name of the list in its cursors. */
    readonly kind: string
  }
}

/** The last row of the page before. */
type LastRow = { readonly rank: number; readonly source: number; readonly id: number }

type RankedRow = JoinedTokenRow & { readonly rank: number; readonly members?: number | string }

/**
 * Returns a page of the tokens whose cards hold some words: the best rank first, then the newest
 * card, then the newest token.
 */
export async function rankedSearch(
  context: QueryContext,
  search: rankedSearch.Input,
): Promise<Page<CataloguedToken>> {
  const { limit, kind } = search
  const end = decodeCursor(search, { kind, key: /^[1-4]\.(0|[1-9]\d{0,14})$/ })
  const [firstRank = 1, source = 0] = end?.[0].split('.').map(Number) ?? []
  const after = end && { rank: firstRank, source, id: end[1] }
  const rows: RankedRow[] = []
  for (let rank = firstRank; rank <= lastRank && rows.length <= limit; rank++) {
    const room = limit + 1 - rows.length
    rows.push(...(await readRank(context, { search, rank, after, room })))
  }
  return buildPage(rows, {
    limit,
    kind,
    endOf: (row) => [`${row.rank}.${row.source}`, row.id],
    decode: ({ members, ...row }) =>
      members === undefined ? decodeToken(row) : decodeMember({ ...row, members }),
  })
}

type RankInput = {
  readonly search: rankedSearch.Input
  readonly rank: number
  readonly after: LastRow | undefined
  /** The number of rows that still fit on the page. */
  readonly room: number
}

const it = expressionBuilder<Database, 'token' | 'search'>()

async function readRank(context: QueryContext, input: RankInput): Promise<readonly RankedRow[]> {
  const { search, rank, room } = input
  const after = input.after?.rank === rank ? input.after : undefined
  const isPaged = after !== undefined && search.group === undefined
  const conditions = [...search.conditions, ...(isPaged ? [isAfter(after)] : [])]
  const sources = await readSources(context, { ...input, after }, conditions)
  if (sources.length === 0) return []
  if (search.group !== undefined) return readFamilies(context, { search, rank, sources })
  const rows = await selectTokens(context.db)
    .where('token.source', 'in', sources)
    .where(it.and(conditions))
    .orderBy('token.source', 'desc')
    .orderBy('token.id', 'desc')
    .limit(room)
    .execute()
  return rows.map((row) => ({ ...row, rank }))
}

type FamiliesInput = Pick<RankInput, 'search' | 'rank'> & { readonly sources: readonly number[] }

/** Reads of each card its source where that matches, otherwise the newest token, and the number of all. */
async function readFamilies(
  { db }: QueryContext,
  { search, rank, sources }: FamiliesInput,
): Promise<readonly RankedRow[]> {
  // No fork is older than its source.
  const standing = sql<number>`
    CASE WHEN min(token.id) = token.source THEN token.source ELSE max(token.id) END`
  const members = db
    .selectFrom('token')
    .where('token.source', 'in', sources)
    .where(it.and([...search.conditions]))
    .groupBy('token.source')
    .select((on) => [standing.as('id'), on.fn.countAll<number>().as('members')])
  const rows = await selectTokens(db)
    .innerJoin(members.as('family'), 'family.id', 'token.id')
    .select('family.members')
    .orderBy('token.source', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, rank }))
}

const isAfter = ({ source, id }: LastRow): Condition =>
  it.or([it('token.source', '<', source), it('token.id', '<', id)])

/** Returns the newest cards of a rank that at least one matching token shows, at most `room`. */
async function readSources(
  { db, fullText, abortIfSlow }: QueryContext,
  { search: { words, group }, rank, after, room }: RankInput,
  conditions: readonly Condition[],
): Promise<readonly number[]> {
  let query = db
    .selectFrom('search')
    .select('search.rowid')
    .where(fullText.matches({ words, rank, isExact: true }))
    .where(abortIfSlow(it.ref('search.rowid')))
    .where((on) =>
      on.exists(
        on
          .selectFrom('token')
          .select('token.id')
          .whereRef('token.source', '=', 'search.rowid')
          .where(it.and([...conditions])),
      ),
    )
    .orderBy('search.rowid', 'desc')
    .limit(room)
  // Of a card that was shown, other tokens may follow, unless one stands for all.
  const strictly = group === undefined ? '<=' : '<'
  if (after) query = query.where('search.rowid', strictly, after.source)
  const rows = await query.execute()
  return rows.map(({ rowid }) => rowid)
}
