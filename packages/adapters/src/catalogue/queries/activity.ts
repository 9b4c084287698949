import {
  type Account,
  type ActivityQuery,
  accountsIn,
  type HistoryEntry,
  type Page,
  sameAccount,
} from '@heirloom/core'
import { expressionBuilder, sql } from 'kysely'
import { accountPlaces } from '../projection/stored-event.ts'
import type { Database, EventRow } from '../schema.ts'
import { bytesOf } from '../table.ts'
import { buildPage, decodeCursor, encodeCursor, type PageEnd, requireLimit } from './cursor.ts'
import { decodeEvent, rowIdOf } from './decode-rows.ts'
import { type QueryContext, selectEvents } from './select-tokens.ts'

/** The most events that are searched for a page. */
const mostSearched = 20_000

const format = { kind: 'activity', key: /^(0|[1-9]\d{0,14})$/ }

const it = expressionBuilder<Database, 'event'>()

const endOf = ({ block, logIndex }: Pick<EventRow, 'block' | 'logIndex'>): PageEnd => [
  String(block),
  logIndex,
]

/** Reads the events of all tokens or of one, newest first; of an account or some kinds those alone. */
export async function readActivity(
  context: QueryContext,
  query: ActivityQuery,
): Promise<Page<HistoryEntry>> {
  requireLimit(query)
  const { account, tokenId, limit } = query
  const all = selectEarlier(context, decodeCursor(query, format))
  const earlier = tokenId === undefined ? all : all.where('tokenId', '=', rowIdOf(tokenId))
  const matches = matchesOf(query)
  const searched = earlier.limit(matches.length === 0 ? limit + 1 : mostSearched)
  const rows = await selectEvents(context.db, searched)
    .where((on) => on.and(matches))
    .orderBy('event.block', 'desc')
    .orderBy('event.logIndex', 'desc')
    .limit(limit + 1)
    .execute()
  if (matches.length === 0) {
    return buildPage(rows, { limit, kind: format.kind, endOf, decode: decodeEvent })
  }
  const found = rows.slice(0, limit)
  const last = rows.length > limit ? found.at(-1) : await readLastSearched(earlier)
  return {
    items: found.map(decodeEvent).filter((event) => names(event, account)),
    next: last && encodeCursor(format.kind, endOf(last)),
  }
}

/**
 * Returns what a row of the wanted events has. Accounts are at fixed places in the bytes of an event: an
 * index of them, or of the kinds, would take more disk than it saves time.
 */
const matchesOf = ({ account, kinds }: ActivityQuery) => [
  ...(account === undefined ? [] : [it.or(accountPlaces.map((place) => hasAt(place, account)))]),
  ...(kinds === undefined ? [] : [it('kind', 'in', [...kinds])]),
]

const hasAt = (place: number, account: Account) =>
  it(sql<Uint8Array>`substr(${it.ref('said')}, ${sql.lit(place)}, 20)`, '=', bytesOf(account))

const names = (event: HistoryEntry, account: Account | undefined) =>
  account === undefined || accountsIn(event).some((named) => sameAccount(named, account))

/** Selects the events before a position, newest first. */
function selectEarlier({ db, abortIfSlow }: QueryContext, end: PageEnd | undefined) {
  const select = db
    .selectFrom('event')
    .selectAll()
    .where(abortIfSlow(it.ref('block')))
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
  if (end === undefined) return select
  const [block, logIndex] = [Number(end[0]), end[1]]
  return select
    .where('block', '<=', block)
    .where((on) => on.or([on('block', '<', block), on('logIndex', '<', logIndex)]))
}

/** Reads the position of the last event that was searched, where there are earlier ones. */
async function readLastSearched(earlier: ReturnType<typeof selectEarlier>) {
  const [last, next] = await earlier
    .limit(2)
    .offset(mostSearched - 1)
    .execute()
  return next === undefined ? undefined : last
}
