import { Socket } from 'node:net'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { createTables, type Database, type LaneId } from './schema.ts'
import { beginEpoch, type Lease, type Store } from './store.ts'

const channel = 'heirloom_jobs'

/** How long a lost connection is left alone before it is made again, in milliseconds. */
const reconnectAfter = 250

/** How often a listener looks by itself, in case a notice was lost with a connection, in milliseconds. */
const lookEvery = 1000

/** How long a transaction may do nothing, as one of a process that is gone does, in milliseconds. */
const longestPause = 5000

/** How long a statement may take, in milliseconds; they are all small. */
const longestStatement = 10_000

/** How long a connection that owes an answer may be silent before it is given up, in milliseconds. */
const longestSilence = 12_000

/** How long an unused connection rests before it is asked whether it still is one, in milliseconds. */
const longestRest = 4000

// A leader that vanished without closing its connection must be noticed by the server.
const keepAlive = `
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 5000
`

/** Opens the store in a PostgreSQL database that several processes share. */
export async function postgresStore(url: string): Promise<Store> {
  const pool = new pg.Pool({ ...connectionTo(url), max: 4 })
  // A broken connection is replaced by the next query; without a listener it ends the process. The
  // pool hears of idle ones only.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    await createOnce(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return storeOn(db, url)
}

// Replicas that start together would otherwise trip over each other's CREATE TABLE, and one that
// starts late over the writes of the others: CREATE INDEX waits for them even where it has nothing
// to do, and holds up the next ones meanwhile.
function createOnce(db: Kysely<Database>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${channel}, 0))`.execute(trx)
    const { rows } = await sql<{ isMade: boolean }>`
      SELECT to_regclass(${lastMade}) IS NOT NULL AS "isMade"
    `.execute(trx)
    if (rows[0]?.isMade !== true) await createTables(trx)
  })
}

/** What is made last, and so is there only when everything is. */
const lastMade = 'attempt_slot'

function connectionTo(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: 5000,
    statement_timeout: longestStatement,
    // The rows that a vanished leader has changed would block the next one.
    idle_in_transaction_session_timeout: longestPause,
    keepAlive: true,
    stream: impatientSocket,
    // Nonces, heights and times are far below 2^53.
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  }
}

/**
 * Returns a socket that breaks when nothing passes for longer than any statement takes. A query that
 * times out by itself would leave a dead connection to the next one.
 */
function impatientSocket(): Socket {
  const socket = new Socket()
  const breakOff = () => socket.destroy(new Error('PostgreSQL fell silent.'))
  return socket.setTimeout(longestSilence, breakOff)
}

/** How long the farewell to a server may take, in milliseconds. */
const longestFarewell = 1000

/** A connection that is no part of the pool. */
type Line = {
  readonly client: pg.Client
  /** Ends it in good order, or without the server when that does not answer. */
  end(): Promise<void>
  /** Ends it at once, in whatever state it is. */
  tear(): void
}

function lineTo(url: string, more: pg.ClientConfig = {}): Line {
  const socket = impatientSocket()
  const client = new pg.Client({ ...connectionTo(url), ...more, stream: () => socket })
  return {
    client,
    tear: () => socket.destroy(new Error('Nobody needs this connection any more.')),
    end: () => {
      socket.setTimeout(longestFarewell)
      return client.end().catch(() => undefined)
    },
  }
}

/** Lets something pass now and then, until the connection ends. */
function keepAwake(client: pg.Client): void {
  const ask = () => void client.query('SELECT 1').then(rest, () => undefined)
  const rest = () => void setTimeout(ask, longestRest).unref()
  rest()
}

function storeOn(db: Kysely<Database>, url: string): Store {
  const listener = listen(url)
  const held = new Set<AbortController>()
  return {
    db,
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

/** Waits for the lock on a connection of its own: the lock lives and dies with the connection. */
async function lead({ db, url, lane, stop, held }: Candidate): Promise<Lease> {
  stop.throwIfAborted()
  // Nobody waits longer at a time, so that a connection that fell silent shows.
  const { client, end, tear } = lineTo(url, { lock_timeout: longestRest })
  const lost = new AbortController()
  lost.signal.addEventListener('abort', () => held.delete(lost))
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  stop.addEventListener('abort', tear)
  try {
    await client.connect()
    await client.query(keepAlive)
    let granted = false
    while (!granted) granted = await isGranted(client, lane)
    keepAwake(client)
    held.add(lost)
    return { epoch: await beginEpoch(db, lane), lost: lost.signal, release: end }
  } catch (error) {
    tear()
    throw error
  } finally {
    stop.removeEventListener('abort', tear)
  }
}

/** The code of the error that ends a wait for a lock. */
const lockNotAvailable = '55P03'

/** Waits for the lock a while, and tells whether it is had. */
async function isGranted(client: pg.Client, lane: LaneId): Promise<boolean> {
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [lane])
    return true
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === lockNotAvailable) return false
    throw error
  }
}

function listen(url: string): Pick<Store, 'subscribe' | 'close'> {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  let closed = false
  let line: Line | undefined
  let again: NodeJS.Timeout | undefined
  const looking = setInterval(tell, lookEvery).unref()
  const connect = async (): Promise<void> => {
    line = lineTo(url)
    const { client, tear } = line
    client.on('error', () => undefined)
    client.on('notification', tell)
    client.on('end', () => {
      if (!closed) again = setTimeout(() => void connect(), reconnectAfter)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      keepAwake(client)
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
