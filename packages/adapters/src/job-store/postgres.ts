import { type Kysely, sql } from 'kysely'
import { migrateTables, type VersionedTables } from '../platform/sql/migrate-tables.ts'
import {
  acquireLock,
  keepConnectionAlive,
  type PostgresConnection,
  postgresConnection,
  postgresPool,
} from '../platform/sql/postgres-connection.ts'
import { issueFencingToken, type JobStore, type Lease } from './job-store.ts'
import { type Database, jobTables, type LaneId } from './schema.ts'

const channel = 'heirloom_jobs'

/** The pause before a lost connection is opened again, in milliseconds. */
const reconnectAfter = 250

/** The interval of calls without a notification, since one may be lost, in milliseconds. */
const pollInterval = 1000

/** Opens a job store in a PostgreSQL database that several processes share. */
export async function postgresJobStore(url: string): Promise<JobStore> {
  const db = postgresPool<Database>(url, { max: 4 })
  try {
    await migrate(db, jobTables)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return jobStore(db, url)
}

// Servers of several schemas can share a database, and each schema has versions of its own.
async function migrate(db: Kysely<Database>, tables: VersionedTables): Promise<void> {
  const { rows } = await sql<{ schema: string }>`SELECT current_schema() AS schema`.execute(db)
  await migrateTables(db, tables, rows[0]?.schema)
}

function jobStore(db: Kysely<Database>, url: string): JobStore {
  const listener = listen(url)
  const leases = new Set<AbortController>()
  return {
    db,
    migrate: (tables) => migrate(db, tables),
    commit: commitTo(db, leases),
    lead: (lane, stop) => lead({ db, url, lane, stop, leases }),
    announce: async (trx, lane) => {
      await sql`SELECT pg_notify(${channel}, ${lane})`.execute(trx)
    },
    subscribe: listener.subscribe,
    close: async () => {
      await listener.close()
      await db.destroy()
    },
  }
}

/** Returns the commit function. A commit with an unknown result aborts every lease of the store. */
function commitTo(db: Kysely<Database>, leases: ReadonlySet<AbortController>): JobStore['commit'] {
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
  readonly url: string
  readonly lane: LaneId
  readonly stop: AbortSignal
  /** Aborts the leases of this store. */
  readonly leases: Set<AbortController>
}

/** Waits for the lane's lock, and issues a fencing token that invalidates older leases. */
async function lead({ db, url, lane, stop, leases }: Candidate): Promise<Lease> {
  const { lost, release, tear } = await acquireLock(url, lane, stop)
  lost.signal.addEventListener('abort', () => leases.delete(lost))
  leases.add(lost)
  try {
    return { fencingToken: await issueFencingToken(db, lane), lost: lost.signal, release }
  } catch (error) {
    tear()
    throw error
  }
}

function listen(url: string): Pick<JobStore, 'subscribe' | 'close'> {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  let closed = false
  let connection: PostgresConnection | undefined
  let reconnect: NodeJS.Timeout | undefined
  const poll = setInterval(notify, pollInterval).unref()
  const connect = async (): Promise<void> => {
    connection = postgresConnection(url)
    const { client, tear } = connection
    client.on('error', () => undefined)
    client.on('notification', notify)
    client.on('end', () => {
      if (!closed) reconnect = setTimeout(() => void connect(), reconnectAfter)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      keepConnectionAlive(client)
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
