import { DatabaseSync } from 'node:sqlite'
import type { ListingsQuery } from '@heirloom/core'
import { Kysely, sql } from 'kysely'
import { sqliteDialect } from '../../platform/sql/sqlite-dialect.ts'
import { type CatalogueStore, insertRows } from '../catalogue-store.ts'
import { lastRank, sqliteFullText } from '../full-text.ts'
import { sortableDecimal } from '../projection/stored-event.ts'
import { readListings } from '../queries/reads.ts'
import type { QueryContext } from '../queries/select-tokens.ts'
import { createTables, type Database, type TokenRow } from '../schema.ts'
import { bytesOf, sqliteTables } from '../table.ts'

/** Returns a number as so many hexadecimal digits. */
export const hex = (of: number, length: number): `0x${string}` =>
  `0x${of.toString(16).padStart(length, '0')}`

/** The maker of all versions, and who bought some. */
export const [maker, buyer] = [bytesOf(hex(1, 40)), bytesOf(hex(2, 40))]

/** Returns the numbers from 1 to a count. */
export const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1)

/** Returns a version, listed at the time of its id and at that price. */
export const version = (id: number, family = id): TokenRow => ({
  id,
  source: id,
  family,
  contentHash: bytesOf(hex(id, 64)),
  digest: bytesOf(hex(id, 64)),
  creator: maker,
  maker,
  keeper: maker,
  title: '',
  parent: null,
  royaltyBps: null,
  claims: '',
  depth: 0,
  rentals: 0,
  forks: 0,
  owner: maker,
  block: 1,
  logIndex: 0,
  firstLog: 0,
  at: id,
  price: sortableDecimal(BigInt(id)),
  rentalPricePerDay: '0',
  forkPrice: '0',
  asset: null,
  forkRoyaltyBps: 0,
  listedAt: id,
})

/** Inserts tokens of one transaction into an empty catalogue. */
export async function insertTokens(
  store: Pick<CatalogueStore, 'db' | 'placeholder'>,
  rows: readonly TokenRow[],
): Promise<void> {
  const mined = {
    block: 1,
    logIndex: 0,
    blockHash: bytesOf(hex(1, 64)),
    txHash: bytesOf(hex(1, 64)),
  }
  await insertRows(store, store.db, { table: 'mined', rows: [mined] })
  await insertRows(store, store.db, { table: 'token', rows })
}

type Market = {
  readonly listings: number
  /** The number of large families, and of the versions of all these. */
  readonly families: number
  readonly versions: number
}

/** Lets two of three cards have the word `calm`, in their descriptions alone. */
export async function insertWord({
  db,
  fullText,
}: Pick<CatalogueStore, 'db' | 'fullText'>): Promise<void> {
  const terms = fullText.encodeTerms([`${lastRank}calm`])
  await sql`INSERT INTO search (rowid, terms)
    SELECT DISTINCT source, ${terms} FROM token WHERE source % 3 > 0`.execute(db)
}

/**
 * Opens a market whose newest listings, which are the dearest and the most popular, are the versions of a
 * few memories in turn, and counts the rows that a query for listings checks. The others have one price,
 * and were rented and forked equally often. Most have the word `calm`.
 */
export async function countedMarket({ listings, families, versions }: Market) {
  const file = new DatabaseSync(':memory:')
  const db = new Kysely<Database>({ dialect: sqliteDialect(file) })
  await createTables(db, { name: 'counted', syntax: sqliteTables, fullText: sqliteFullText })
  const first = listings - versions + 1
  const rows = upTo(listings).map((id) => {
    const worth = Math.max(1, id - first + 2)
    const price = sortableDecimal(BigInt(worth))
    const family = id < first ? id : first + ((id - first) % families)
    const terms = { price, rentalPricePerDay: price, forkPrice: price }
    return { ...version(id, family), ...terms, rentals: worth, forks: worth }
  })
  await insertTokens({ db, placeholder: () => '?' }, rows)
  await insertWord({ db, fullText: sqliteFullText })
  let count = 0
  file.function('count_row', { varargs: true }, () => {
    count += 1
    return 1
  })
  const context: QueryContext = {
    db,
    fullText: sqliteFullText,
    readStamp: async () => `${count}`,
    abortIfSlow: (column) => sql`count_row(${column})`,
    inReadTransaction: (of, work) => of.transaction().execute(work),
  }
  return {
    readCounted: async (query: ListingsQuery) => {
      count = 0
      const page = await readListings(context, query)
      return { page, count }
    },
    close: () => db.destroy(),
  }
}
