import { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/** The time that a transaction may be idle, as that of a dead process is, in milliseconds. */
const transactionIdleTimeout = 5000

/** The time that a statement may run, in milliseconds; all are small. */
const statementTimeout = 10_000

/** The silence after which a connection is destroyed, in milliseconds. */
const socketTimeout = 12_000

/** The interval of queries that keep a connection alive, in milliseconds. */
const pingInterval = 4000

// The server must notice a lock holder that vanished without closing its connection.
const serverKeepAlive = `
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 5000
`

/** Returns the settings of a connection on which nothing can hang for long. */
function connectionConfig(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: 5000,
    statement_timeout: statementTimeout,
    // The rows that a dead process has changed would block the next one.
    idle_in_transaction_session_timeout: transactionIdleTimeout,
    keepAlive: true,
    stream: socketWithTimeout,
    // Nonces, heights and times are far below 2^53.
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  }
}

/**
 * Returns a socket that is destroyed when it is silent for longer than any statement may run. A
 * timeout of the query alone would leave a dead connection in the pool.
 */
function socketWithTimeout(): Socket {
  const socket = new Socket()
  const destroy = () => socket.destroy(new Error('PostgreSQL fell silent.'))
  return socket.setTimeout(socketTimeout, destroy)
}

/** The time that closing a connection in good order may take, in milliseconds. */
const closeTimeout = 1000

/** A connection outside any pool. */
export type PostgresConnection = {
  readonly client: pg.Client
  /** Closes the connection in good order, or at once when the server does not respond. */
  end(): Promise<void>
  /** Destroys the connection at once. */
  tear(): void
}

/** Opens a pool of connections to a database; the next query replaces a broken connection. */
export function postgresPool<Database>(url: string, more: pg.PoolConfig): Kysely<Database> {
  const pool = new pg.Pool({ ...connectionConfig(url), ...more })
  // Without a listener the error of a broken connection ends the process. The pool listens to idle
  // connections only.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/** Returns a connection that is not connected yet. */
export function postgresConnection(url: string, more: pg.ClientConfig = {}): PostgresConnection {
  const socket = socketWithTimeout()
  const client = new pg.Client({ ...connectionConfig(url), ...more, stream: () => socket })
  return {
    client,
    tear: () => socket.destroy(new Error('The connection is not needed any more.')),
    end: () => {
      socket.setTimeout(closeTimeout)
      return client.end().catch(() => undefined)
    },
  }
}

/** Sends a small query now and then, until the connection ends. */
export function keepConnectionAlive(client: pg.Client): void {
  const ping = () => void client.query('SELECT 1').then(schedule, () => undefined)
  const schedule = () => void setTimeout(ping, pingInterval).unref()
  schedule()
}

/** The PostgreSQL error code of a lock wait that timed out. */
const lockNotAvailable = '55P03'

/** A lock that no other process holds. */
type Lock = {
  /** Aborted once another process may hold the lock. */
  readonly lost: AbortController
  release(): Promise<void>
  /** Drops the connection, and with it the lock. */
  tear(): void
}

/** Waits for the lock of a name, on a connection of its own: the lock ends with that connection. */
export async function acquireLock(url: string, name: string, stop: AbortSignal): Promise<Lock> {
  stop.throwIfAborted()
  // Each wait is short, so that a silent connection is noticed.
  const { client, end, tear } = postgresConnection(url, { lock_timeout: pingInterval })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  stop.addEventListener('abort', tear)
  try {
    await client.connect()
    await client.query(serverKeepAlive)
    let isLocked = false
    while (!isLocked) isLocked = await tryLock(client, name)
    keepConnectionAlive(client)
    return { lost, release: end, tear }
  } catch (error) {
    tear()
    throw error
  } finally {
    stop.removeEventListener('abort', tear)
  }
}

/** Waits for the lock for a while, and returns whether it was acquired. */
async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
    return true
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === lockNotAvailable) return false
    throw error
  }
}
