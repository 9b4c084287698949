import { Socket } from 'node:net'
import pg from 'pg'

/** How long a transaction may do nothing, as one of a process that is gone does, in milliseconds. */
const longestPause = 5000

/** How long a statement may take, in milliseconds; they are all small. */
const longestStatement = 10_000

/** How long a connection that owes an answer may be silent before it is given up, in milliseconds. */
const longestSilence = 12_000

/** How long an unused connection rests before it is asked whether it still is one, in milliseconds. */
const longestRest = 4000

// A holder that vanished without closing its connection must be noticed by the server.
const keepAlive = `
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 5000
`

/** Returns the settings of a connection on which nothing can hang for long. */
export function connectionTo(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: 5000,
    statement_timeout: longestStatement,
    // The rows that a vanished holder has changed would block the next one.
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

/** A connection that is no part of a pool. */
export type Line = {
  readonly client: pg.Client
  /** Ends it in good order, or without the server when that does not answer. */
  end(): Promise<void>
  /** Ends it at once, in whatever state it is. */
  tear(): void
}

/** Returns a connection that is still to be made. */
export function lineTo(url: string, more: pg.ClientConfig = {}): Line {
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
export function keepAwake(client: pg.Client): void {
  const ask = () => void client.query('SELECT 1').then(rest, () => undefined)
  const rest = () => void setTimeout(ask, longestRest).unref()
  rest()
}

/** The code of the error that ends a wait for a lock. */
const lockNotAvailable = '55P03'

/** A lock that no other process has. */
type Lock = {
  /** Aborted once another process may have it. */
  readonly lost: AbortController
  release(): Promise<void>
  /** Gives it up without the server. */
  tear(): void
}

/** Waits for the lock of a name on a connection of its own: the lock lives and dies with that. */
export async function lockOf(url: string, name: string, stop: AbortSignal): Promise<Lock> {
  stop.throwIfAborted()
  // Nobody waits longer at a time, so that a connection that fell silent shows.
  const { client, end, tear } = lineTo(url, { lock_timeout: longestRest })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  stop.addEventListener('abort', tear)
  try {
    await client.connect()
    await client.query(keepAlive)
    let granted = false
    while (!granted) granted = await isGranted(client, name)
    keepAwake(client)
    return { lost, release: end, tear }
  } catch (error) {
    tear()
    throw error
  } finally {
    stop.removeEventListener('abort', tear)
  }
}

/** Waits for the lock a while, and tells whether it is had. */
async function isGranted(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
    return true
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === lockNotAvailable) return false
    throw error
  }
}
