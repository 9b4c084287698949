import { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { noteConnectionError } from '../error-words.ts'

/** The time that a transaction may be idle, as that of a dead process is, in milliseconds. */
const transactionIdleTimeout = 5000

/** The time that a statement may run, in milliseconds; all are small. */
const statementTimeout = 10_000

/** The silence after which a connection is destroyed, in milliseconds. */
const socketTimeout = 12_000

/**
 * The silence after which PostgreSQL ends a session, in milliseconds. A machine that is frozen or cut
 * off closes none of its connections; each would be one less for the others, for hours. A pool closes
 * its idle connections much sooner, and all other ones send a query now and then.
 */
const sessionTimeout = 60_000

/** The interval of queries that keep a connection alive, in milliseconds. */
const pingInterval = 4000

/** Returns the settings of a connection on which nothing can hang for long. */
function connectionConfig(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
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
function socketWithTimeout(silence = socketTimeout): Socket {
  const socket = new Socket()
  const destroy = () => socket.destroy(new Error('PostgreSQL fell silent.'))
  return socket.setTimeout(silence, destroy)
}

/** Lets PostgreSQL end the session of a connection once it is silent for so long. */
export async function boundSession(
  client: pg.ClientBase,
  milliseconds = sessionTimeout,
): Promise<void> {
  // Unknown before version 14, which the store refuses.
  await client.query(`SET idle_session_timeout = ${milliseconds}`).catch(() => undefined)
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

type Session = Pick<postgresPool.Options, 'sessionTimeout' | 'schema' | 'statementTimeout'>

// By statements: poolers such as PgBouncer refuse or lose the same settings where a connection starts.
async function prepareSession(
  client: pg.ClientBase,
  { sessionTimeout, schema, statementTimeout: limit = statementTimeout }: Session,
): Promise<void> {
  // The rows that a dead process has changed would block the next one.
  const idle = `idle_in_transaction_session_timeout = ${transactionIdleTimeout}`
  const path = schema === undefined ? '' : `; SET search_path = ${schema}`
  await client.query(`SET statement_timeout = ${limit}; SET ${idle}${path}`)
  await boundSession(client, sessionTimeout)
}

export declare namespace postgresPool {
  type Options = Pick<pg.PoolConfig, 'max'> & {
    /** The schema of the tables; that of the URL or of the user when absent. */
    readonly schema?: string | undefined
    /** The time that a statement may run, in milliseconds. */
    readonly statementTimeout?: number | undefined
    /** The silence after which this process destroys a connection, in milliseconds. */
    readonly silence?: number | undefined
    /** The silence after which PostgreSQL ends the session of one, in milliseconds. */
    readonly sessionTimeout?: number | undefined
  }
}

/** Opens a pool of connections to a database; the next query replaces a broken connection. */
export function postgresPool<Database>(
  url: string,
  { max, silence, ...session }: postgresPool.Options,
): Kysely<Database> {
  const stream = () => socketWithTimeout(silence)
  const onConnect = (client: pg.ClientBase) => prepareSession(client, session)
  const pool = new pg.Pool({ ...connectionConfig(url), ...(max && { max }), stream, onConnect })
  // Without a listener the error of a broken connection ends the process. The pool listens to idle
  // connections only.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const connect = () => pool.connect().catch(throwNoted)
  const { options } = pool
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { options, connect, end: () => pool.end() } }),
    log: (event) => {
      if (event.level === 'error') noteIfUnanswered(event.error)
    },
  })
}

function throwNoted(error: unknown): never {
  noteIfUnanswered(error)
  throw error
}

/** Notes an error that is no answer of PostgreSQL. */
export function noteIfUnanswered(error: unknown): void {
  if (!(error instanceof pg.DatabaseError)) noteConnectionError(error)
}

/** Returns a connection that is not connected yet, and is destroyed after so long a silence. */
export function postgresConnection(
  url: string,
  { silence, ...more }: pg.ClientConfig & { readonly silence?: number } = {},
): PostgresConnection {
  const socket = socketWithTimeout(silence)
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
export function keepConnectionAlive(
  client: pg.Client,
  {
    ping = () => client.query('SELECT 1'),
    interval = pingInterval,
  }: keepConnectionAlive.Options = {},
): void {
  const send = () => void ping().then(schedule, () => undefined)
  const schedule = () => void setTimeout(send, interval).unref()
  schedule()
}

export declare namespace keepConnectionAlive {
  type Options = {
    readonly ping?: () => Promise<unknown>
    /** The pause between two queries, in milliseconds. */
    readonly interval?: number
  }
}
