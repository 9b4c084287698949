import { type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Means } from '../platform/means.ts'
import { postgresPool } from '../platform/sql/postgres-connection.ts'
import { postgresLeases } from '../platform/sql/postgres-lease.ts'
import type { CatalogueStore } from './catalogue-store.ts'
import { postgresFullText } from './full-text.ts'
import { querySlots } from './queries/query-slots.ts'
import { queryTable, queryTimeLimit, type RunQuery } from './queries/query-table.ts'
import type { QueryContext } from './queries/select-tokens.ts'
import { tooCostly } from './queries/sqlite-reader.ts'
import { catalogueName, createTables, type Database, type Identity, schemaName } from './schema.ts'
import { postgresTables } from './table.ts'

type Options = {
  /** The means of indexing: a process without them leaves it to another one. */
  readonly means?: Means | undefined
  /** The longest time of a statement that reads, in milliseconds. */
  readonly statementTimeout?: number
}

/**
 * Opens the catalogue in a PostgreSQL database that several processes share. It uses a schema of its
 * own, named after its chain and contracts, so servers of several chains can share a database.
 */
export async function postgresCatalogueStore(
  url: string,
  identity: Identity,
  { means, statementTimeout = queryTimeLimit }: Options = {},
): Promise<CatalogueStore> {
  const name = schemaName(identity)
  const db = postgresPool<Database>(url, { schema: name, max: 4 })
  const readers = postgresPool<Database>(url, {
    schema: name,
    max: concurrency,
    statementTimeout,
  })
  const create = (isReset: boolean) => createSchema(db, { name, identity, isReset })
  try {
    await create(false)
  } catch (error) {
    await readers.destroy()
    await db.destroy()
    throw error
  }
  return {
    db,
    fullText: postgresFullText,
    runQuery: queryRunner(readers),
    mergeSearchIndex: async () => undefined,
    placeholder: (index) => `$${index}`,
    isBroken: (error) => (error as { readonly code?: unknown }).code === undefinedTable,
    isStoreError: (error) => error instanceof pg.DatabaseError,
    lockCards: (trx) => waitForTurn(trx, `${name} cards`),
    inReadTransaction: (work) =>
      db.transaction().setIsolationLevel('repeatable read').execute(work),
    lead: async (stop) => {
      const { lost, release } = await postgresLeases({ url }).acquire(name, stop, means)
      return { lost: lost.signal, release }
    },
    reset: () => create(true),
    close: async () => {
      await readers.destroy()
      await db.destroy()
    },
  }
}

/** The most queries that run at once, the most that may wait, and the longest wait, in milliseconds. */
const [concurrency, queueLimit, waitLimit] = [4, 64, 250]

function queryRunner(db: Kysely<Database>): RunQuery {
  const slots = querySlots({ concurrency, queueLimit, waitLimit: () => waitLimit })
  const context: QueryContext = {
    db,
    fullText: postgresFullText,
    // Changes with every transaction that writes, in this database or another of the server.
    readStamp: async () => {
      const { rows } = await sql<{ stamp: string }>`
        SELECT pg_current_snapshot()::text AS stamp
      `.execute(db)
      return `${rows[0]?.stamp}`
    },
    // PostgreSQL itself cancels a statement that takes too long.
    abortIfSlow: () => sql`true`,
    inReadTransaction: (of, work) =>
      of.transaction().setIsolationLevel('repeatable read').execute(work),
  }
  return (name, input) =>
    slots.run(async () => {
      try {
        return (await queryTable[name](context, input as never)) as never
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === queryCanceled) throw tooCostly(error)
        throw error
      }
    })
}

/** The SQLSTATE of a statement that ran into `statement_timeout`. */
const queryCanceled = '57014'

const dialect = { syntax: postgresTables, fullText: postgresFullText }

/** The SQLSTATE of a statement on a table that does not exist. */
const undefinedTable = '42P01'

type Creation = {
  readonly name: string
  readonly identity: Identity
  /** Whether the existing schema is dropped first. */
  readonly isReset: boolean
}

// Replicas that start together create the tables one after the other.
function createSchema(db: Kysely<Database>, { name, identity, isReset }: Creation): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await waitForTurn(trx, `${name} tables`)
    if (isReset) await sql`DROP SCHEMA IF EXISTS ${sql.id(name)} CASCADE`.execute(trx)
    const { rows } = await sql<{ exists: boolean }>`
      SELECT to_regclass(${`${name}.meta`}) IS NOT NULL AS "exists"
    `.execute(trx)
    if (rows[0]?.exists === true) return
    await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(name)}`.execute(trx)
    await createTables(trx, { name: catalogueName(identity), ...dialect })
  })
}

/** Waits until no other transaction has this turn, and has it until this one ends. */
const waitForTurn = (trx: Transaction<Database>, turn: string): Promise<unknown> =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(trx)
