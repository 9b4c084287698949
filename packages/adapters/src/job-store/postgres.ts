import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import {
  acquireLock,
  connectionConfig,
  keepConnectionAlive,
  type PostgresConnection,
  postgresConnection,
} from '../platform/sql/postgres-connection.ts'
import { beginEpoch, type Creation, type Lease, type Store } from './job-store.ts'
import { createTables, type Database, type LaneId } from './schema.ts'

const channel = 'heirloom_jobs'

/** How long a lost connection is left alone before it is made again, in milliseconds. */
const reconnectAfter = 250

/** How often a listener looks by itself, in case a notice was lost with a connection, in milliseconds. */
const lookEvery = 1000

/** Opens the store in a PostgreSQL database that several processes share. */
export async function postgresStore(url: string): Promise<Store> {
  const pool = new pg.Pool({ ...connectionConfig(url), max: 4 })
  // A broken connection is replaced by the next query; without a listener it ends the process. The
  // pool hears of idle ones only.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    await createOnce(db, { lastMade: 'attempt_slot', create: createTables })
  } catch (error) {
    await db.destroy()
    throw error
  }
  return storeOn(db, url)
}

// Replicas that start together would otherwise trip over each other's CREATE TABLE, and one that
// starts late over the writes of the others: CREATE INDEX waits for them even where it has nothing
// to do, and holds up the next ones meanwhile.
function createOnce(db: Kysely<Database>, { lastMade, create }: Creation): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${channel}, 0))`.execute(trx)
    const { rows } = await sql<{ isMade: boolean }>`
      SELECT to_regclass(${lastMade}) IS NOT NULL AS "isMade"
    `.execute(trx)
    if (rows[0]?.isMade !== true) await create(trx)
  })
}

function storeOn(db: Kysely<Database>, url: string): Store {
  const listener = listen(url)
  const held = new Set<AbortController>()
  return {
    db,
    create: (creation) => createOnce(db, creation),
    commit: commitTo(db, held),
    lead: (lane, stop) => lead({ db, url, lane, stop, held }),
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

/** Returns how to commit; leaders lose their right when nobody knows whether it worked. */
function commitTo(db: Kysely<Database>, held: ReadonlySet<AbortController>): Store['commit'] {
  return async (work, lazily) => {
    let worked = false
    const doubt = () => {
      if (worked) for (const lost of held) lost.abort()
    }
    const transaction = db.transaction().execute(async (trx) => {
      if (lazily !== undefined) await sql`SET LOCAL synchronous_commit = off`.execute(trx)
      const result = await work(trx)
      worked = true
      return result
    })
    transaction.catch(doubt)
    return transaction
  }
}

type Candidate = {
  readonly db: Kysely<Database>
  readonly url: string
  readonly lane: LaneId
  readonly stop: AbortSignal
  /** What tells the leaders of this store that they lost the right. */
  readonly held: Set<AbortController>
}

/** Waits for the lane's lock, and makes whatever an older leader still tries useless. */
async function lead({ db, url, lane, stop, held }: Candidate): Promise<Lease> {
  const { lost, release, tear } = await acquireLock(url, lane, stop)
  lost.signal.addEventListener('abort', () => held.delete(lost))
  held.add(lost)
  try {
    return { epoch: await beginEpoch(db, lane), lost: lost.signal, release }
  } catch (error) {
    tear()
    throw error
  }
}

function listen(url: string): Pick<Store, 'subscribe' | 'close'> {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  let closed = false
  let line: PostgresConnection | undefined
  let again: NodeJS.Timeout | undefined
  const looking = setInterval(tell, lookEvery).unref()
  const connect = async (): Promise<void> => {
    line = postgresConnection(url)
    const { client, tear } = line
    client.on('error', () => undefined)
    client.on('notification', tell)
    client.on('end', () => {
      if (!closed) again = setTimeout(() => void connect(), reconnectAfter)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      keepConnectionAlive(client)
      tell()
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
      clearInterval(looking)
      clearTimeout(again)
      await line?.end()
    },
  }
}
