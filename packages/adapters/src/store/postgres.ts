import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Means } from '../platform/means.ts'
import { migrateTables, type VersionedTables } from '../platform/sql/migrate-tables.ts'
import {
  boundSession,
  keepConnectionAlive,
  type PostgresConnection,
  postgresConnection,
  postgresPool,
} from '../platform/sql/postgres-connection.ts'
import { type PostgresLeases, postgresLeases } from '../platform/sql/postgres-lease.ts'
import { requireLeases } from './require-leases.ts'
import { type Database, jobTables, type LaneId } from './schema.ts'
import { issueFencingToken, type Lease, type Store } from './store.ts'
import { type StoreClock, storeClock } from './store-clock.ts'

const channel = 'heirloom_jobs'

/** The pause before a lost connection is opened again, in milliseconds. */
const reconnectAfter = 250

/** The interval of calls without a notification, since one may be lost, in milliseconds. */
const pollInterval = 1000

export declare namespace postgresStore {
  type Options = {
    /** The time for which a lease lasts without being renewed, in milliseconds. */
    readonly leaseTime?: number | undefined
    /** The silence after which a connection of the pool is destroyed, in milliseconds. */
    readonly silence?: number | undefined
    /** The silence after which PostgreSQL ends the session of one, in milliseconds. */
    readonly sessionTimeout?: number | undefined
  }
}

/** Opens a store in a PostgreSQL database that several processes share. */
export async function postgresStore(
  url: string,
  { leaseTime, silence, sessionTimeout }: postgresStore.Options = {},
): Promise<Store> {
  const db = postgresPool<Database>(url, { max: 4, silence, sessionTimeout })
  try {
    await requireLeases(db)
    await migrate(db, jobTables)
    const clock = await storeClock(() => readTime(db))
    return jobStore({ db, url, clock, leaseTime })
  } catch (error) {
    await db.destroy()
    throw error
  }
}

const timeQuery = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now'

/** Returns the time of the database, in milliseconds since 1970. */
async function readTime(db: Kysely<Database>): Promise<number> {
  const { rows } = await db.executeQuery<{ now: number }>(CompiledQuery.raw(timeQuery))
  return Number(rows[0]?.now)
}

// Servers of several schemas can share a database, and each schema has versions of its own.
async function migrate(db: Kysely<Database>, tables: VersionedTables): Promise<void> {
  const { rows } = await sql<{ schema: string }>`SELECT current_schema() AS schema`.execute(db)
  await migrateTables(db, tables, rows[0]?.schema)
}

type Parts = {
  readonly db: Kysely<Database>
  readonly url: string
  readonly clock: StoreClock
  readonly leaseTime: number | undefined
}

function jobStore({ db, url, clock, leaseTime }: Parts): Store {
  const listener = listen(url, clock)
  const leases = new Set<AbortController>()
  const locks = postgresLeases({ url, time: leaseTime })
  return {
    db,
    isShared: true,
    now: clock.now,
    migrate: (tables) => migrate(db, tables),
    commit: commitTo(db, leases),
    lead: (lane, stop, means) => lead({ db, locks, lane, stop, means, leases }),
    announce: async (trx, lane) => {
      await sql`SELECT pg_notify(${channel}, ${lane})`.execute(trx)
    },
    subscribe: listener.subscribe,
    close: async () => {
      await locks.close()
      await listener.close()
      await db.destroy()
    },
  }
}

/** Returns the commit function. A commit with an unknown result aborts every lease of the store. */
function commitTo(db: Kysely<Database>, leases: ReadonlySet<AbortController>): Store['commit'] {
  return async (work, lazily) => {
    let isWorkDone = false
    const onFailure = () => {
      if (isWorkDone) for (const lost of leases) lost.abort()
    }
    const transaction = db.transaction().execute(async (trx) => {
      if (lazily !== undefined) await sql`SET LOCAL synchronous_commit = off`.execute(trx)
      const result = await work(trx)
      isWorkDone = true
      return result
    })
    transaction.catch(onFailure)
    return transaction
  }
}

type Candidate = {
  readonly db: Kysely<Database>
  readonly locks: PostgresLeases
  readonly lane: LaneId
  readonly stop: AbortSignal
  readonly means: Means | undefined
  /** Aborts the leases of this store. */
  readonly leases: Set<AbortController>
}

/** Waits for the lane's lease, and issues a fencing token that invalidates older ones. */
async function lead({ db, locks, lane, stop, means, leases }: Candidate): Promise<Lease> {
  const { lost, isHeld, release } = await locks.acquire(lane, stop, means)
  lost.signal.addEventListener('abort', () => leases.delete(lost))
  leases.add(lost)
  try {
    const now = await readTime(db)
    const fencingToken = await issueFencingToken(db, lane, now)
    return { fencingToken, lost: lost.signal, isHeld, release }
  } catch (error) {
    await release()
    throw error
  }
}

function listen(url: string, clock: StoreClock): Pick<Store, 'subscribe' | 'close'> {
  const listeners = new Set<(lane?: LaneId) => void>()
  const notify = (lane?: LaneId) => {
    for (const listener of listeners) listener(lane)
  }
  let closed = false
  let connection: PostgresConnection | undefined
  let reconnect: NodeJS.Timeout | undefined
  const poll = setInterval(() => notify(), pollInterval).unref()
  const connect = async (): Promise<void> => {
    connection = postgresConnection(url)
    const { client, tear } = connection
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => notify(payload))
    client.on('end', () => {
      if (!closed) reconnect = setTimeout(() => void connect(), reconnectAfter)
    })
    try {
      await client.connect()
      await boundSession(client)
      await client.query(`LISTEN ${channel}`)
      keepConnectionAlive(client, {
        ping: () => clock.adjust(async () => Number((await client.query(timeQuery)).rows[0].now)),
      })
      notify()
    } catch {
      tear()
    }
  }
  void connect()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      closed = true
      clearInterval(poll)
      clearTimeout(reconnect)
      await connection?.end()
    },
  }
}
