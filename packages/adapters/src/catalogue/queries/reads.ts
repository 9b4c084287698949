import {
  type Account,
  type CardQuery,
  type CataloguedToken,
  type Currency,
  type Digest,
  type Dollars,
  dollars,
  type Earnings,
  type EarningsIn,
  fromSeconds,
  type Hash,
  type HistoryEntry,
  type Instant,
  type ListingsQuery,
  type MarketFigures,
  type Page,
  type PageInput,
  type Rental,
  searchWords,
  type TokenId,
  type TokensQuery,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import { everyone, readTotals } from '../projection/earnings.ts'
import { decodeAccount } from '../projection/stored-event.ts'
import type { Database, EarningsRow } from '../schema.ts'
import { bytesOf, hexOf } from '../table.ts'
import { buildPage, decodeCursor, requireLimit } from './cursor.ts'
import {
  decodeEvent,
  decodeToken,
  type JoinedTokenRow,
  rowIdOf,
  withRenters,
} from './decode-rows.ts'
import { type Condition, listingConditions, tokenConditions } from './filters.ts'
import { readGroupedListings } from './grouped-listings.ts'
import { rankedSearch } from './ranked-search.ts'
import { scoredSearch, showsMatch } from './scored-search.ts'
import { type QueryContext, selectEvents, selectTokens } from './select-tokens.ts'
import {
  listingsCursor,
  type SortedListingsQuery,
  selectListingPage,
  selectTokenPage,
  tokensCursor,
} from './token-pages.ts'

type Db = Kysely<Database>

/** Reports whether a token names a block as its card, which may still be shown. */
export async function namesCard(db: Db, block: Digest): Promise<boolean> {
  const row = await db
    .selectFrom('card')
    .select('tokenId')
    .where('digest', '=', bytesOf(block))
    .where('state', '!=', 'refused')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The facts of a mint by which its token is found. */
export type Minted = {
  readonly creator: Account
  readonly digest: Digest
  readonly contentHash: Hash
}

/** Reads the first token that was minted so; a licensed fork was not. */
export async function readMint(db: Db, minted: Minted): Promise<TokenId | undefined> {
  const { creator, digest, contentHash } = minted
  const row = await db
    .selectFrom('token')
    .select('id')
    .where('digest', '=', bytesOf(digest))
    .where('creator', '=', bytesOf(creator))
    .where('royaltyBps', 'is', null)
    .where('contentHash', '=', bytesOf(contentHash))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && tokenId(BigInt(row.id))
}

/** Reads a page of live listings. */
export async function readListings(context: QueryContext, query: ListingsQuery) {
  requireLimit(query)
  if (query.sort === 'relevance' && searchWords(query.search ?? '').length > 0) {
    const kind = query.group === undefined ? 'listings' : 'family-listings'
    return searchBest(context, query, { conditions: listingConditions(query), kind })
  }
  const sorted = sortedQuery(query)
  return query.group === undefined
    ? readSortedListings(context, sorted)
    : readGroupedListings(context, sorted)
}

/** Reads a page of what a search finds, the best match first. */
function searchBest(
  context: QueryContext,
  query: CardQuery & PageInput & Pick<ListingsQuery, 'group'>,
  { conditions, kind }: { readonly conditions: readonly Condition[]; readonly kind: string },
): Promise<Page<CataloguedToken>> {
  const { after, limit, group, search = '', match } = query
  const page = { after, limit, group, conditions }
  return match === 'any'
    ? scoredSearch(context, { ...page, search, kind: `scored-${kind}` })
    : rankedSearch(context, { ...page, words: searchWords(search), kind: `ranked-${kind}` })
}

/** Replaces relevance, which needs search words, by the newest token first. */
function sortedQuery({ sort, ...query }: ListingsQuery): SortedListingsQuery {
  return sort === 'relevance' ? { ...query, sort: 'tokenId', descending: true } : { ...query, sort }
}

async function readSortedListings(context: QueryContext, query: SortedListingsQuery) {
  const isFound = await showsMatch(context, query)
  const rows = await selectListingPage(context, query, isFound).execute()
  return buildPage(rows, {
    limit: query.limit,
    kind: listingsCursor(query).kind,
    endOf: (row) => [String(row.sortKey), row.id],
    decode: withRenters(query, decodeToken),
  })
}

/** Reads a page of tokens: by rank when the query has search words, else newest first. */
export async function readTokens(context: QueryContext, query: TokensQuery) {
  requireLimit(query)
  if (searchWords(query.search ?? '').length > 0) {
    return searchBest(context, query, { conditions: tokenConditions(query), kind: 'tokens' })
  }
  const rows = await selectTokenPage(context, query).execute()
  const options = { limit: query.limit, kind: tokensCursor.kind, decode: decodeToken }
  return buildPage(rows, { ...options, endOf: ({ id }) => ['0', id] })
}

/** Reads the row of a token. */
export function readToken(db: Db, id: number): Promise<JoinedTokenRow | undefined> {
  return selectTokens(db).where('token.id', '=', id).executeTakeFirst()
}

/** The most tokens of one query. */
const readAtOnce = 100

/** Returns a function that reads the rows of tokens, those of one turn in one query. */
export function tokenReader(db: Db): (id: number) => Promise<JoinedTokenRow | undefined> {
  let waiting: { readonly ids: Set<number>; readonly rows: Promise<TokenRows> } | undefined
  const readAll = async (ids: ReadonlySet<number>): Promise<TokenRows> => {
    // A caller that waits in this turn adds its token first.
    await undefined
    waiting = undefined
    const rows = await selectTokens(db)
      .where('token.id', 'in', [...ids])
      .execute()
    return new Map(rows.map((it) => [Number(it.id), it]))
  }
  return async (id) => {
    if (waiting === undefined || waiting.ids.size >= readAtOnce) {
      const ids = new Set<number>()
      waiting = { ids, rows: readAll(ids) }
    }
    waiting.ids.add(id)
    const rows = await waiting.rows
    return rows.get(id)
  }
}

type TokenRows = ReadonlyMap<number, JoinedTokenRow>

const historyCursor = { kind: 'history', key: /^(0|[1-9]\d{0,14})$/ }

/** Reads a page of the events of a token, oldest first; `undefined` when it was never minted. */
export async function readHistory(
  { db }: QueryContext,
  { tokenId, ...page }: PageInput & { readonly tokenId: TokenId },
): Promise<Page<HistoryEntry> | undefined> {
  requireLimit(page)
  const end = decodeCursor(page, historyCursor)
  const id = rowIdOf(tokenId)
  const token = await db.selectFrom('token').select('id').where('id', '=', id).executeTakeFirst()
  if (token === undefined) return undefined
  let select = selectEvents(db).where('event.tokenId', '=', id)
  if (end) {
    const [block, logIndex] = [Number(end[0]), end[1]]
    select = select
      .where('event.block', '>=', block)
      .where((it) => it.or([it('event.block', '>', block), it('event.logIndex', '>', logIndex)]))
  }
  const ordered = select.orderBy('event.block').orderBy('event.logIndex')
  return buildPage(await ordered.limit(page.limit + 1).execute(), {
    limit: page.limit,
    kind: historyCursor.kind,
    endOf: ({ block, logIndex }) => [String(block), logIndex],
    decode: decodeEvent,
  })
}

type RentalsInput = {
  readonly tokenId: TokenId
  readonly after: Instant
  readonly limit: number
}

/** Reads the rentals of a token that end after a time, the last to end first. */
export async function readRentals(
  { db, abortIfSlow }: QueryContext,
  { tokenId, after, limit }: RentalsInput,
): Promise<readonly Rental[]> {
  const rows = await db
    .selectFrom('rental')
    .select((it) => ['renter', it.fn.max('expiresAt').as('expiresAt')])
    .where('tokenId', '=', rowIdOf(tokenId))
    .where((it) => abortIfSlow(it.ref('tokenId')))
    .groupBy('renter')
    .having((it) => it.fn.max('expiresAt'), '>', Math.floor(after / 1000))
    .orderBy('expiresAt', 'desc')
    .orderBy('renter')
    .limit(limit)
    .execute()
  return rows.map(({ renter, expiresAt }) => ({
    tokenId,
    renter: decodeAccount(hexOf(renter)),
    expiresAt: fromSeconds(expiresAt),
  }))
}

/** Reads how many rentals began since a time, and what all accounts earned. */
export async function readFigures(db: Db, since: Instant): Promise<MarketFigures> {
  // A literal, as for SQLite the condition of an index.
  const { rentals } = await db
    .selectFrom('event')
    .select((it) => it.fn.countAll<number | string>().as('rentals'))
    .where('kind', 'in', [sql.lit('rental'), sql.lit('dollar-rental')])
    .where('at', '>=', Math.ceil(since / 1000))
    .executeTakeFirstOrThrow()
  const { dollars: inDollars, ...inWei } = await readEarnings(db, everyone)
  const sum = ({ sales, rentals, forks, royalties }: EarningsIn<Wei | Dollars>) =>
    sales + rentals + forks + royalties
  return {
    rentals: Number(rentals),
    paid: { native: wei(sum(inWei)), dollar: dollars(sum(inDollars)) },
  }
}

/** Reads the total earnings of an account. */
export async function readEarnings(db: Db, account: Account | typeof everyone): Promise<Earnings> {
  const totals = (currency: Currency) =>
    readTotals(db, { account: account.toLowerCase(), currency })
  return {
    ...decodeEarnings(await totals('native'), wei),
    dollars: decodeEarnings(await totals('dollar'), dollars),
  }
}

function decodeEarnings<Amount extends Wei | Dollars>(
  row: EarningsRow | undefined,
  unit: (amount: string) => Amount,
): EarningsIn<Amount> {
  const amount = (text = '0') => unit(text)
  return {
    sales: amount(row?.sales),
    rentals: amount(row?.rentals),
    forks: amount(row?.forks),
    royalties: amount(row?.royalties),
    credit: amount(row?.credit),
  }
}
