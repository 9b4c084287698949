import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { keepConnectionAlive, noteIfUnanswered, postgresConnection } from './postgres-connection.ts'

/**
 * The exclusive right of a name, which a process has while it renews it. PostgreSQL measures the time:
 * it ends a session that was not renewed, and with the session its locks.
 */
export type PostgresLease = {
  /** Aborted once another process may have the lease. */
  readonly lost: AbortController
  /** Returns whether the lease is renewed and not lost, as far as this process can know. */
  isHeld(): boolean
  release(): Promise<void>
}

/** The leases of a process: they share one connection, because a database has few. */
export type PostgresLeases = {
  /**
   * Waits until nobody else has the lease of a name, and returns it. A process that ends releases it
   * at once, and one that is frozen or out of reach once PostgreSQL has not heard of it for the time
   * of the lease.
   */
  acquire(name: string, stop: AbortSignal): Promise<PostgresLease>
  /** Ends every lease and every wait. */
  close(): Promise<void>
}

/** The time for which a lease lasts without being renewed, in milliseconds. */
export const leaseTime = 6000

// A lock holder that vanished without closing its connection is noticed sooner than its lease ends.
const serverKeepAlive = `
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 5000
`

// Nobody waits for a lock in PostgreSQL, so a frozen process is not in the queue when one is free.
const tryLocks = `
  SELECT name FROM unnest($1::text[]) AS missing (name)
  WHERE pg_try_advisory_lock(hashtextextended(name, 0))
`
const unlock = 'SELECT pg_advisory_unlock(hashtextextended($1, 0))'

export declare namespace postgresLeases {
  type Options = {
    readonly url: string
    /** The time for which a lease lasts without being renewed, in milliseconds. */
    readonly time?: number | undefined
  }
}

/** Opens the leases of a process. There is a connection while it has or seeks one. */
export function postgresLeases({ url, time = leaseTime }: postgresLeases.Options): PostgresLeases {
  let current: Session | undefined
  const open = (): Session => {
    const session = openSession({ url, time }, () => {
      if (current === session) current = undefined
    })
    return session
  }
  return {
    acquire: async (name, stop) => {
      stop.throwIfAborted()
      current ??= open()
      return current.acquire(name, stop)
    },
    close: async () => current?.end(),
  }
}

type Seeker = {
  readonly name: string
  readonly grant: (lease: PostgresLease) => void
  readonly refuse: (error: unknown) => void
}

/** A session of PostgreSQL, whose advisory locks are leases. */
type Session = {
  readonly acquire: PostgresLeases['acquire']
  readonly end: () => Promise<void>
}

type Settings = { readonly url: string; readonly time: number }

/** Opens a session, and calls `onEnd` as soon as it is of no more use. */
function openSession({ url, time }: Settings, onEnd: () => void): Session {
  const { client, end, tear } = postgresConnection(url, { silence: Math.ceil((time * 5) / 6) })
  const { ask, isRenewed } = querySession(client, time)
  const { held, seekers, lose, isUnused } = claims()
  const drop = (error: unknown) => {
    onEnd()
    lose(error)
  }
  const fail = (error: unknown) => {
    noteIfUnanswered(error)
    drop(error)
    tear()
  }
  client.on('error', fail)
  client.on('end', () => fail(new Error('PostgreSQL ended the session of the leases.')))
  const missing = () => [...seekers].map(({ name }) => name).filter((name) => !held.has(name))
  const seek = seekRepeatedly({ missing, ask, grant: (name) => grant(name), pause: time / 40 })
  const release = async (name: string, lost: AbortController) => {
    lost.abort()
    if (held.get(name) !== lost) return
    held.delete(name)
    if (!isUnused()) return ask(unlock, [name]).then(seek).catch(fail)
    onEnd()
    return end()
  }
  const grant = (name: string) => {
    const lost = new AbortController()
    held.set(name, lost)
    const isHeld = () => !lost.signal.aborted && isRenewed()
    const lease = { lost, isHeld, release: () => release(name, lost) }
    const seeker = [...seekers].find((it) => it.name === name)
    if (seeker === undefined) return void lease.release()
    seekers.delete(seeker)
    seeker.grant(lease)
  }
  const opened = connect(client, { time, ask })
  const leave = () => isUnused() && fail(new Error('Nobody seeks a lease any more.'))
  const acquire: Session['acquire'] = (name, stop) => {
    const granted = wait({ name, stop, seekers, leave })
    opened.then(seek).catch(fail)
    return granted
  }
  const close = () => {
    drop(new Error('The leases were closed.'))
    return end()
  }
  return { acquire, end: close }
}

/** Returns who has and who seeks the leases of a session: nobody at first. */
function claims() {
  const held = new Map<string, AbortController>()
  const seekers = new Set<Seeker>()
  const lose = (error: unknown) => {
    for (const lost of held.values()) lost.abort()
    held.clear()
    for (const { refuse } of seekers) refuse(error)
    seekers.clear()
  }
  return { held, seekers, lose, isUnused: () => held.size + seekers.size === 0 }
}

type Query = { readonly rows: readonly { readonly name: string }[] }
type Ask = (text: string, values?: readonly unknown[]) => Promise<Query>

/** Returns the queries of a session, each of which renews its leases. */
function querySession(client: pg.Client, time: number) {
  let renewedAt = Number.NEGATIVE_INFINITY
  const ask: Ask = async (text, values = []) => {
    // PostgreSQL counts from a later moment, and this clock also runs while the process is frozen.
    const sentAt = performance.now()
    const result = await client.query(text, [...values])
    renewedAt = sentAt
    return result
  }
  return { ask, isRenewed: () => performance.now() < renewedAt + time }
}

async function connect(
  client: pg.Client,
  { time, ask }: { readonly time: number; readonly ask: Ask },
): Promise<void> {
  await client.connect()
  await client.query(`${serverKeepAlive}; SET idle_session_timeout = ${time}`)
  keepConnectionAlive(client, { ping: () => ask('SELECT 1'), interval: time / 4 })
}

type Seeking = {
  readonly missing: () => readonly string[]
  readonly grant: (name: string) => void
  readonly ask: Ask
  /** The pause after a try, in milliseconds. */
  readonly pause: number
}

/** Returns a function that tries the locks that it seeks until there are none; one run at a time. */
function seekRepeatedly(seeking: Seeking): () => Promise<void> {
  let isSeeking = false
  return async () => {
    if (isSeeking) return
    isSeeking = true
    try {
      await seekAll(seeking)
    } finally {
      isSeeking = false
    }
  }
}

async function seekAll({ missing, grant, ask, pause }: Seeking): Promise<void> {
  for (let names = missing(); names.length > 0; names = missing()) {
    const { rows } = await ask(tryLocks, [[...new Set(names)]])
    for (const { name } of rows) grant(name)
    if (missing().length > 0) await setTimeout(pause)
  }
}

type Waiting = {
  readonly name: string
  readonly stop: AbortSignal
  readonly seekers: Set<Seeker>
  /** Is called after a seeker was stopped. */
  readonly leave: () => void
}

/** Waits among the seekers of a session until a lease is granted or refused, or the wait is stopped. */
function wait({ name, stop, seekers, leave }: Waiting): Promise<PostgresLease> {
  const { promise, resolve, reject } = Promise.withResolvers<PostgresLease>()
  const seeker = { name, grant: resolve, refuse: reject }
  const onStop = () => {
    reject(stop.reason)
    if (seekers.delete(seeker)) leave()
  }
  seekers.add(seeker)
  stop.addEventListener('abort', onStop, { once: true })
  return promise.finally(() => stop.removeEventListener('abort', onStop))
}
