import type { CataloguedToken, Page, PageInput } from '@heirloom/core'
import { expressionBuilder, type SqlBool, sql } from 'kysely'
import { type FullText, lastRank } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { buildPage, decodeCursor } from './cursor.ts'
import {
  decodeMember,
  decodeToken,
  type FamilyNumbers,
  type JoinedTokenRow,
} from './decode-rows.ts'
import { type Condition, countVersions, rankInFamily } from './filters.ts'
import { type QueryContext, selectTokens } from './select-tokens.ts'

export declare namespace rankedSearch {
  type Input = PageInput & {
    readonly words: readonly string[]
    readonly conditions: readonly Condition[]
    /** `family` returns of each family only the newest version that matches, or else the newest token. */
    readonly group?: 'family' | undefined
    /** The name of the list in its cursors. */
    readonly kind: string
  }
}

/** The last row of the page before. */
type LastRow = { readonly rank: number; readonly source: number; readonly id: number }

type RankedRow = JoinedTokenRow & { readonly rank: number } & Partial<FamilyNumbers>

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
    decode: ({ members, versions, ...row }) =>
      members === undefined || versions === undefined
        ? decodeToken(row)
        : decodeMember({ ...row, members, versions }),
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

/**
 * Reads for each card that stands for its family its source where that matches, otherwise its newest
 * fork, and the numbers of the whole family.
 */
async function readFamilies(
  { db, fullText }: QueryContext,
  { search, rank, sources }: FamiliesInput,
): Promise<readonly RankedRow[]> {
  // No fork is older than its source.
  const standing = sql<number>`
    COALESCE(MAX(CASE WHEN token.id = head.id THEN token.id END),
      MAX(CASE WHEN token.source = head.id THEN token.id END))`
  const members = db
    .selectFrom('token')
    .innerJoin('token as head', (join) =>
      join.onRef('head.family', '=', 'token.family').onRef('head.title', '=', 'token.title'),
    )
    .where('head.id', 'in', sources)
    .where(it.and([...search.conditions, hasWords(fullText, search)]))
    .groupBy('head.id')
    .select((on) => [standing.as('id'), on.fn.countAll<number>().as('members')])
    .select(countVersions.as('versions'))
  const rows = await selectTokens(db)
    .innerJoin(members.as('member'), 'member.id', 'token.id')
    .select(['member.members', 'member.versions'])
    .orderBy('token.source', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, rank }))
}

/**
 * Returns the condition that no other card stands for the family of the token `head`, a source: by its
 * rank, a newer version that matches, or else a newer one of which a fork matches. All matching tokens
 * are read once, since a family may have thousands.
 */
function standsForFamily({ fullText, abortIfSlow }: QueryContext, search: SearchInput): Condition {
  const place = sql<number>`row_number() OVER (PARTITION BY token.family, token.title
    ORDER BY ${rankInFamily}, token.source DESC)`
  const placed = it
    .selectFrom('token')
    .select(['token.source as source', place.as('place')])
    .where(abortIfSlow(it.ref('token.id')))
    .where(it.and([...search.conditions, hasWords(fullText, search)]))
  return sql<SqlBool>`head.id IN (SELECT source FROM ${placed} AS placed WHERE place = 1)`
}

type SearchInput = Pick<rankedSearch.Input, 'words' | 'conditions'>

/** Returns the condition that the card of a token has words, in any of its parts. */
const hasWords = (fullText: FullText, { words }: Pick<SearchInput, 'words'>): Condition =>
  fullText.namesMatch(it.ref('token.source'), { words, rank: lastRank, isExact: false })

const isAfter = ({ source, id }: LastRow): Condition =>
  it.or([it('token.source', '<', source), it('token.id', '<', id)])

/** Returns the newest cards of a rank that at least one matching token shows, at most `room`. */
async function readSources(
  context: QueryContext,
  { search, rank, after, room }: RankInput,
  conditions: readonly Condition[],
): Promise<readonly number[]> {
  const { db, fullText, abortIfSlow } = context
  const { words, group } = search
  let query = db
    .selectFrom('search')
    .innerJoin('token as head', 'head.id', 'search.rowid')
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
  if (group !== undefined) query = query.where(standsForFamily(context, search))
  // Of a card that was shown, other tokens may follow, unless one stands for all.
  const strictly = group === undefined ? '<=' : '<'
  if (after) query = query.where('search.rowid', strictly, after.source)
  const rows = await query.execute()
  return rows.map(({ rowid }) => rowid)
}
