import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import type { FullText } from './full-text.ts'
import type { RunQuery } from './queries/query-table.ts'
import { type Database, type Tables, tables } from './schema.ts'
import { columnNames } from './table.ts'

/** The right to index a chain into a store, which one process holds at a time. */
type Leadership = {
  /** Aborted once another process may hold the right. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** The database of a catalogue: a file of this process, or a database that several share. */
export type CatalogueStore = {
  readonly db: Kysely<Database>
  readonly fullText: FullText
  /**
   * Runs a query without blocking the event loop.
   *
   * @throws `catalogue/busy`, `catalogue/too-costly`, and whatever the query throws
   */
  readonly runQuery: RunQuery
  /** Merges a few segments of the search index within a transaction. */
  readonly mergeSearchIndex: (trx: Transaction<Database>) => Promise<unknown>
  /** Returns the placeholder of the nth parameter of a statement, from 1. */
  readonly placeholder: (index: number) => string
  /** Returns whether an error means that the store is corrupt and must be rebuilt. */
  readonly isBroken: (error: unknown) => boolean
  /** Returns whether an error comes from the store, not from the chain. */
  readonly isStoreError: (error: unknown) => boolean
  /**
   * Waits until no other transaction changes cards, and keeps them from it until this one ends. A
   * transaction that changes cards begins with it, so that two never wait for each other's rows.
   */
  readonly lockCards: (trx: Transaction<Database>) => Promise<unknown>
  /** Runs several reads on one state of the database. */
  readonly inReadTransaction: <T>(work: (trx: Transaction<Database>) => Promise<T>) => Promise<T>
  /** Waits until no other process indexes the chain into this store. */
  readonly lead: (stop: AbortSignal) => Promise<Leadership>
  /** Deletes everything and creates empty tables. */
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

const maxParameters = 16_000

/** Inserts many rows into a table, in statements of a bounded size. */
export async function insertRows(
  { placeholder }: Pick<CatalogueStore, 'placeholder'>,
  trx: Kysely<Database>,
  { table, rows: all, onConflict = '' }: insertRows.Input,
): Promise<void> {
  const rows: readonly object[] = all
  const names = columnNames(tables[table])
  const quoted = names.map((name) => `"${name}"`).join(', ')
  const rowsPerStatement = Math.floor(maxParameters / names.length / 4)
  const textFor = (count: number) => {
    const groups = Array.from(
      { length: count },
      (_, row) =>
        `(${names.map((_name, column) => placeholder(row * names.length + column + 1)).join(', ')})`,
    )
    return `INSERT INTO ${table} (${quoted}) VALUES ${groups.join(', ')} ${onConflict}`
  }
  // The same text each time: a new one is hashed again, which takes longer than to write its rows.
  const fullText = rows.length < rowsPerStatement ? '' : textFor(rowsPerStatement)
  for (let begin = 0; begin < rows.length; begin += rowsPerStatement) {
    const part = rows.slice(begin, begin + rowsPerStatement)
    const text = part.length === rowsPerStatement ? fullText : textFor(part.length)
    const values = part.flatMap((row) => names.map((name) => row[name as keyof typeof row]))
    await trx.executeQuery(CompiledQuery.raw(text, values))
  }
}

export declare namespace insertRows {
  type Input = { readonly [Name in keyof Tables]: InputOf<Name> }[keyof Tables]
}

type InputOf<Name extends keyof Tables> = {
  readonly table: Name
  readonly rows: readonly Tables[Name][]
  /** The SQL clause for rows that exist already. */
  readonly onConflict?: string
}
