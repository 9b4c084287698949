import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { acquireLock, connectionConfig } from '../platform/sql/postgres-connection.ts'
import { postgresFullText } from './full-text.ts'
import type { Asked } from './queries/filters.ts'
import { turns } from './queries/query-slots.ts'
import { type Ask, longestAnswer, questions } from './queries/query-table.ts'
import { tooCostly } from './queries/sqlite-reader.ts'
import { createTables, type Database, type Identity, nameOf, shortNameOf } from './schema.ts'
import type { Store } from './store.ts'

/**
 * Opens the catalogue in a PostgreSQL database that several processes share. It has a schema to
 * itself, named after what it is of, so that servers of several chains share a database as well.
 */
export async function postgresStore(url: string, identity: Identity): Promise<Store> {
  const name = shortNameOf(identity)
  const options = `-c search_path=${name}`
  const db = poolOf({ ...connectionConfig(url), options, max: 4 })
  const readers = poolOf({
    ...{ ...connectionConfig(url), options, max: atOnce },
    statement_timeout: longestAnswer,
  })
  const create = (isAnew: boolean) => createOnce(db, { name, identity, isAnew })
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
    ask: askOf(readers),
    tidy: async () => undefined,
    parameter: (index) => `$${index}`,
    isBroken: (error) => (error as { readonly code?: unknown }).code === undefinedTable,
    isOwn: (error) => error instanceof pg.DatabaseError,
    reading: (work) => db.transaction().setIsolationLevel('repeatable read').execute(work),
    lead: async (stop) => {
      const { lost, release } = await acquireLock(url, name, stop)
      return { lost: lost.signal, release }
    },
    empty: () => create(true),
    close: async () => {
      await readers.destroy()
      await db.destroy()
    },
  }
}

/** How many questions are asked at once, how many may wait, and how long, in milliseconds. */
const [atOnce, mostWaiting, longestWait] = [4, 64, 250]

function poolOf(config: pg.PoolConfig): Kysely<Database> {
  const pool = new pg.Pool(config)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

function askOf(db: Kysely<Database>): Ask {
  const { take } = turns({ atOnce, mostWaiting, longestWait: () => longestWait })
  const asked: Asked = {
    ...{ db, fullText: postgresFullText },
    // The server itself ends a statement that takes too long.
    isInTime: () => sql`true`,
    inOneState: (of, work) => of.transaction().setIsolationLevel('repeatable read').execute(work),
  }
  return (name, input) =>
    take(async () => {
      try {
        return (await questions[name](asked, input as never)) as never
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === canceled) throw tooCostly(error)
        throw error
      }
    })
}

/** The code of the error of a statement that took too long. */
const canceled = '57014'

const sqlTypes = { bytewise: 'text COLLATE "C"', fullText: postgresFullText }

/** The code of the error of a table that somebody dropped. */
const undefinedTable = '42P01'

type Creation = {
  readonly name: string
  readonly identity: Identity
  /** Whether what is there is thrown away. */
  readonly isAnew: boolean
}

// Replicas that start together would otherwise trip over each other's tables.
function createOnce(db: Kysely<Database>, { name, identity, isAnew }: Creation): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${name} tables`}, 0))`.execute(trx)
    if (isAnew) await sql`DROP SCHEMA IF EXISTS ${sql.id(name)} CASCADE`.execute(trx)
    const { rows } = await sql<{ isMade: boolean }>`
      SELECT to_regclass(${`${name}.meta`}) IS NOT NULL AS "isMade"
    `.execute(trx)
    if (rows[0]?.isMade === true) return
    await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(name)}`.execute(trx)
    await createTables(trx, { name: nameOf(identity), ...sqlTypes })
  })
}
