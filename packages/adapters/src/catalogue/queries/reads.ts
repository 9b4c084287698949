import {
  type Account,
  type Earnings,
  fromSeconds,
  type HistoryEntry,
  type Instant,
  type ListingsQuery,
  type Page,
  type PageInput,
  type Rental,
  searchWords,
  type TokenId,
  type TokensQuery,
  wei,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import {
  type Asked,
  listingConditions,
  listingsList,
  listingsQuestion,
  requireLimit,
  type SortedQuery,
  shownTokens,
  tokenConditions,
  tokensList,
  tokensQuestion,
} from './filters.ts'
import { pageFrom, placeIn } from './cursor.ts'
import { ranked } from './ranked-search.ts'
import type { Database } from '../schema.ts'
import { accountOf, idOf, type ShownRow, toldEvent, toldToken } from './decode-rows.ts'
import { latestIncome } from '../projection/advance.ts'

type Db = Kysely<Database>

/** Returns a page of live listings. */
export async function listings(asked: Asked, query: ListingsQuery) {
  requireLimit(query)
  const words = searchWords(query.search ?? '')
  if (query.sort === 'relevance' && words.length > 0) {
    const { after, limit } = query
    const conditions = listingConditions(query)
    return ranked(asked, { ...{ after, limit, words, conditions }, kind: 'ranked-listings' })
  }
  return sorted(asked, sortedQuery(query))
}

/** Nothing is more relevant than another thing to no words, so then the newest token is first. */
function sortedQuery({ sort, ...query }: ListingsQuery): SortedQuery {
  return sort === 'relevance' ? { ...query, sort: 'tokenId', descending: true } : { ...query, sort }
}

async function sorted(asked: Asked, query: SortedQuery) {
  const rows = await listingsQuestion(asked, query).execute()
  const column = query.sort === 'tokenId' ? 'id' : query.sort
  return pageFrom(rows, {
    limit: query.limit,
    kind: listingsList(query).kind,
    placeOf: (row) => [String(row[column]), row.id],
    itemOf: toldToken,
  })
}

/** Returns a page of tokens: by their ranks where there are words to look for, else newest first. */
export async function tokens(asked: Asked, query: TokensQuery) {
  requireLimit(query)
  const words = searchWords(query.search ?? '')
  if (words.length > 0) {
    const { after, limit } = query
    const conditions = tokenConditions(query)
    return ranked(asked, { ...{ after, limit, words, conditions }, kind: 'ranked' })
  }
  const rows = await tokensQuestion(asked, query).execute()
  const shape = { limit: query.limit, kind: tokensList.kind, itemOf: toldToken }
  return pageFrom(rows, { ...shape, placeOf: ({ id }) => ['0', id] })
}

/** Returns the row of a token as it is shown. */
export function shownToken(db: Db, id: number): Promise<ShownRow | undefined> {
  return shownTokens(db).where('token.id', '=', id).executeTakeFirst()
}

const historyList = { kind: 'history', key: /^(0|[1-9]\d{0,14})$/ }

/** Returns what happened to a token, oldest first. */
export async function history(
  { db }: Asked,
  { tokenId, ...page }: PageInput & { readonly tokenId: TokenId },
): Promise<Page<HistoryEntry> | undefined> {
  requireLimit(page)
  const place = placeIn(page, historyList)
  const id = idOf(tokenId)
  const token = await db.selectFrom('token').select('id').where('id', '=', id).executeTakeFirst()
  if (token === undefined) return undefined
  let asked = db.selectFrom('event').selectAll().where('tokenId', '=', id)
  if (place) {
    const [block, logIndex] = [Number(place[0]), place[1]]
    asked = asked
      .where('block', '>=', block)
      .where((it) => it.or([it('block', '>', block), it('logIndex', '>', logIndex)]))
  }
  const ordered = asked.orderBy('block').orderBy('logIndex')
  return pageFrom(await ordered.limit(page.limit + 1).execute(), {
    limit: page.limit,
    kind: historyList.kind,
    placeOf: ({ block, logIndex }) => [String(block), logIndex],
    itemOf: toldEvent,
  })
}

type RentalsInput = {
  readonly tokenId: TokenId
  readonly after: Instant
  readonly limit: number
}

/** Returns so many rentals of a token that end after a moment, the last to end first. */
export async function rentals(
  { db, isInTime }: Asked,
  { tokenId, after, limit }: RentalsInput,
): Promise<readonly Rental[]> {
  const rows = await db
    .selectFrom('rental')
    .select((it) => ['renter', it.fn.max('expiresAt').as('expiresAt')])
    .where('tokenId', '=', idOf(tokenId))
    .where((it) => isInTime(it.ref('tokenId')))
    .groupBy('renter')
    .having((it) => it.fn.max('expiresAt'), '>', Math.floor(after / 1000))
    .orderBy('expiresAt', 'desc')
    .orderBy('renter')
    .limit(limit)
    .execute()
  return rows.map(({ renter, expiresAt }) => ({
    tokenId,
    renter: accountOf(renter),
    expiresAt: fromSeconds(expiresAt),
  }))
}

/** Returns what an account has earned. */
export async function earnings(db: Db, account: Account): Promise<Earnings> {
  const row = await latestIncome(db, account.toLowerCase())
  const amount = (text = '0') => wei(BigInt(text))
  return {
    sales: amount(row?.sales),
    rentals: amount(row?.rentals),
    forks: amount(row?.forks),
    royalties: amount(row?.royalties),
    credit: amount(row?.credit),
  }
}
