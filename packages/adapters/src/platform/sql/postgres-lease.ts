import type pg from 'pg'
import { keepConnectionAlive, postgresConnection } from './postgres-connection.ts'

/**
 * The exclusive right of a name, which a process has while it renews it. PostgreSQL measures the time:
 * it ends a session that was not renewed, and with the session its lock.
 */
export type PostgresLease = {
  /** Aborted once another process may have the lease. */
  readonly lost: AbortController
  /** Returns whether the lease is renewed and not lost, as far as this process can know. */
  isHeld(): boolean
  release(): Promise<void>
  /** Drops the connection, and with it the lease. */
  tear(): void
}

/** The time for which a lease lasts without being renewed, in milliseconds. */
export const leaseTime = 6000

// A lock holder that vanished without closing its connection is noticed sooner than its lease ends.
const serverKeepAlive = `
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 5000
`

/** The PostgreSQL error code of a lock wait that timed out. */
const lockNotAvailable = '55P03'

export declare namespace acquireLease {
  type Options = {
    readonly url: string
    readonly name: string
    /** Ends the wait when it is aborted. */
    readonly stop: AbortSignal
    /** The time for which the lease lasts without being renewed, in milliseconds. */
    readonly time?: number | undefined
  }
}

/**
 * Waits until no other process has the lease of a name, and returns it. It is the advisory lock of a
 * session of its own: a process that ends releases it at once, and one that is frozen or out of reach
 * once PostgreSQL has not heard of it for the time of the lease.
 */
export async function acquireLease(options: acquireLease.Options): Promise<PostgresLease> {
  const { url, name, stop, time = leaseTime } = options
  stop.throwIfAborted()
  // Each wait is short, so that a frozen candidate is not in the queue when the lease is free.
  const timeouts = { lock_timeout: Math.ceil(time / 3), silence: Math.ceil((time * 5) / 6) }
  const { client, end, tear } = postgresConnection(url, timeouts)
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  stop.addEventListener('abort', tear)
  try {
    await client.connect()
    await client.query(`${serverKeepAlive}; SET idle_session_timeout = ${time}`)
    let isLocked = false
    while (!isLocked) isLocked = await tryLock(client, name)
    const isHeld = await renewRepeatedly(client, time)
    const release = () => {
      lost.abort()
      return end()
    }
    return { lost, isHeld: () => !lost.signal.aborted && isHeld(), release, tear }
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

/** Renews a lease until the connection ends; returns whether the last renewal still counts. */
async function renewRepeatedly(client: pg.Client, time: number): Promise<() => boolean> {
  let renewedAt = 0
  const renew = async () => {
    // PostgreSQL counts from a later moment, and this clock also runs while the process is frozen.
    const sentAt = performance.now()
    await client.query('SELECT 1')
    renewedAt = sentAt
  }
  await renew()
  keepConnectionAlive(client, { ping: renew, interval: time / 4 })
  return () => performance.now() < renewedAt + time
}
