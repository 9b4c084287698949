import type { CataloguedToken, Page, PageInput } from '@heirloom/core'
import { expressionBuilder } from 'kysely'
import { type Asked, type Condition, shownTokens } from './filters.ts'
import { pageFrom, placeIn } from './cursor.ts'
import { lastRank } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { type ShownRow, toldToken } from './decode-rows.ts'

/** What is looked for by words: the best rank first, in it the newest card, of its tokens the newest. */
export type Search = PageInput & {
  readonly words: readonly string[]
  readonly conditions: readonly Condition[]
  /** What tells cursors of this list from others. */
  readonly kind: string
}

/** Where a page ended. */
type After = { readonly rank: number; readonly source: number; readonly id: number }

type RankedRow = ShownRow & { readonly rank: number }

/** Returns a page of tokens in the order of their ranks. */
export async function ranked(asked: Asked, search: Search): Promise<Page<CataloguedToken>> {
  const { limit, kind } = search
  const place = placeIn(search, { kind, key: /^[1-4]\.(0|[1-9]\d{0,14})$/ })
  const [rank = 1, source = 0] = place?.[0].split('.').map(Number) ?? []
  const after = place && { rank, source, id: place[1] }
  const rows: RankedRow[] = []
  for (let at = rank; at <= lastRank && rows.length <= limit; at++) {
    const room = limit + 1 - rows.length
    rows.push(...(await rowsOfRank(asked, { search, rank: at, after, room })))
  }
  return pageFrom(rows, {
    limit,
    kind,
    placeOf: (row) => [`${row.rank}.${row.source}`, row.id],
    itemOf: toldToken,
  })
}

type Tier = {
  readonly search: Search
  readonly rank: number
  readonly after: After | undefined
  readonly room: number
}

const it = expressionBuilder<Database, 'token' | 'search'>()

async function rowsOfRank(asked: Asked, tier: Tier): Promise<readonly RankedRow[]> {
  const { search, rank, room } = tier
  const after = tier.after?.rank === rank ? tier.after : undefined
  const conditions = [...search.conditions, ...(after ? [isAfter(after)] : [])]
  const sources = await sourcesOf(asked, { ...tier, after }, conditions)
  if (sources.length === 0) return []
  const rows = await shownTokens(asked.db)
    .where('token.source', 'in', sources)
    .where(it.and(conditions))
    .orderBy('token.source', 'desc')
    .orderBy('token.id', 'desc')
    .limit(room)
    .execute()
  return rows.map((row) => ({ ...row, rank }))
}

const isAfter = ({ source, id }: After): Condition =>
  it.or([it('token.source', '<', source), it('token.id', '<', id)])

/** Returns the cards of a rank that have a token which is wanted, newest first, as many as there is room. */
async function sourcesOf(
  { db, fullText, isInTime }: Asked,
  { search: { words }, rank, after, room }: Tier,
  conditions: readonly Condition[],
): Promise<readonly number[]> {
  let question = db
    .selectFrom('search')
    .select('search.rowid')
    .where(fullText.matches({ words, rank, isExact: true }))
    .where(isInTime(it.ref('search.rowid')))
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
  if (after) question = question.where('search.rowid', '<=', after.source)
  const rows = await question.execute()
  return rows.map(({ rowid }) => rowid)
}
