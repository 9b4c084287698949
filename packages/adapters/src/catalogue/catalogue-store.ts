import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import type { FullText } from './full-text.ts'
import type { Ask } from './queries/query-table.ts'
import { columns, type Database } from './schema.ts'

/** The right to follow a chain into a store, which one process has at a time. */
type Leading = {
  /** Aborted once another process may have the right. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Where a catalogue is kept: in a file of this process, or in a database that several share. */
export type Store = {
  readonly db: Kysely<Database>
  readonly fullText: FullText
  /**
   * Answers a question without holding up the event loop.
   *
   * @throws `catalogue/busy`, `catalogue/too-costly`, and what the question fails with
   */
  readonly ask: Ask
  /** Does a little of the upkeep that searching needs, as a part of a transaction. */
  readonly tidy: (trx: Transaction<Database>) => Promise<unknown>
  /** Returns the place of the nth parameter of a statement, from 1. */
  readonly parameter: (index: number) => string
  /** Tells whether an error means that the store is broken, and only good to be made again. */
  readonly isBroken: (error: unknown) => boolean
  /** Tells whether an error is the store's own, and not that of the chain. */
  readonly isOwn: (error: unknown) => boolean
  /** Runs questions that must see one state. */
  readonly reading: <T>(work: (trx: Transaction<Database>) => Promise<T>) => Promise<T>
  /** Waits until no other process follows the chain into this store. */
  readonly lead: (stop: AbortSignal) => Promise<Leading>
  /** Throws everything away and begins again with nothing. */
  readonly empty: () => Promise<void>
  readonly close: () => Promise<void>
}

const mostParameters = 16_000

/** Writes many rows of a table at once. */
export async function insert(
  { parameter }: Pick<Store, 'parameter'>,
  trx: Kysely<Database>,
  { table, rows, more = '' }: insert.Input,
): Promise<void> {
  const names: readonly string[] = columns[table]
  const atOnce = Math.floor(mostParameters / names.length / 4)
  const quoted = names.map((name) => `"${name}"`).join(', ')
  for (let begin = 0; begin < rows.length; begin += atOnce) {
    const part = rows.slice(begin, begin + atOnce)
    const groups = part.map(
      (_, row) =>
        `(${names.map((_name, at) => parameter(row * names.length + at + 1)).join(', ')})`,
    )
    const text = `INSERT INTO ${table} (${quoted}) VALUES ${groups.join(', ')} ${more}`
    const values = part.flatMap((row) => names.map((name) => row[name as keyof typeof row]))
    await trx.executeQuery(CompiledQuery.raw(text, values))
  }
}

export declare namespace insert {
  type Input = {
    readonly table: keyof typeof columns
    readonly rows: readonly object[]
    /** What to do with rows that are there already. */
    readonly more?: string
  }
}
