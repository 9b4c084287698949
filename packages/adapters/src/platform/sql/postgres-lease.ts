import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { type Means, noMeans } from '../means.ts'
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
   * of the lease. One whose means are silent loses it to a process whose means answer, if there is one.
   */
  acquire(name: string, stop: AbortSignal, means?: Means): Promise<PostgresLease>
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

// A process offers a lease that is of no use to it, and one that can use it bids.
const channel = 'heirloom_leases'
const notify = `SELECT pg_notify('${channel}', name) FROM unnest($1::text[]) AS notice (name)`
const [offer, bid] = ['offer ', 'bid ']

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
    acquire: async (name, stop, means) => {
      stop.throwIfAborted()
      current ??= open()
      return current.acquire(name, stop, means)
    },
    close: async () => current?.end(),
  }
}

type Seeker = {
  readonly name: string
  readonly means: Means
  /** The time before which it does not try while its means are silent, so that others come first. */
  restsUntil: number
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
  const { held, seekers, missing, lose, isUnused } = claims()
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
  const seek = seekRepeatedly({ missing, ask, grant: (name) => grant(name), time })
  const release = async (name: string, lost: AbortController) => {
    lost.abort()
    if (held.get(name)?.lost !== lost) return
    held.delete(name)
    if (!isUnused()) return ask(unlock, [name]).then(seek).catch(fail)
    onEnd()
    return end()
  }
  const grant = (name: string) => {
    const lost = new AbortController()
    const seeker = seekerOf(seekers, name)
    held.set(name, { lost, means: seeker?.means ?? noMeans })
    const isHeld = () => !lost.signal.aborted && isRenewed()
    if (seeker === undefined) return void release(name, lost)
    seekers.delete(seeker)
    seeker.grant({ lost, isHeld, release: () => release(name, lost) })
  }
  const { renew, onNotice } = handOvers({ held, seekers, ask, release, time })
  client.on('notification', ({ payload = '' }) => void onNotice(payload).catch(fail))
  const opened = connect(client, { time, renew })
  const leave = () => isUnused() && fail(new Error('Nobody seeks a lease any more.'))
  const acquire: Session['acquire'] = (name, stop, means = noMeans) => {
    const granted = wait({ name, means, time, stop, seekers, leave })
    opened.then(seek).catch(fail)
    return granted
  }
  const close = () => {
    drop(new Error('The leases were closed.'))
    return end()
  }
  return { acquire, end: close }
}

/** A lease that a session has, and the means of its work. */
type Held = { readonly lost: AbortController; readonly means: Means }

const seekerOf = (seekers: Iterable<Seeker>, name: string): Seeker | undefined =>
  [...seekers].find((it) => it.name === name)

/** Returns who has and who seeks the leases of a session: nobody at first. */
function claims() {
  const held = new Map<string, Held>()
  const seekers = new Set<Seeker>()
  /** Returns the seekers whose leases this session does not have itself. */
  const missing = () => [...seekers].filter(({ name }) => !held.has(name))
  const lose = (error: unknown) => {
    for (const { lost } of held.values()) lost.abort()
    held.clear()
    for (const { refuse } of seekers) refuse(error)
    seekers.clear()
  }
  return { held, seekers, missing, lose, isUnused: () => held.size + seekers.size === 0 }
}

type Query = { readonly rows: readonly { readonly name: string }[] }
type Ask = (text: string, values?: readonly unknown[]) => Promise<Query>

/** Returns the queries of a session, one after another, each of which renews its leases. */
function querySession(client: pg.Client, time: number) {
  let renewedAt = Number.NEGATIVE_INFINITY
  let last: Promise<unknown> = Promise.resolve()
  const send: Ask = async (text, values = []) => {
    // PostgreSQL counts from a later moment, and this clock also runs while the process is frozen.
    const sentAt = performance.now()
    const result = await client.query(text, [...values])
    renewedAt = sentAt
    return result
  }
  const ask: Ask = (text, values) => {
    const answer = last.then(() => send(text, values))
    last = answer.catch(() => undefined)
    return answer
  }
  return { ask, isRenewed: () => performance.now() < renewedAt + time }
}

type Parties = Pick<ReturnType<typeof claims>, 'held' | 'seekers'> & {
  readonly ask: Ask
  readonly release: (name: string, lost: AbortController) => Promise<unknown>
  /** The time of a lease, in milliseconds. */
  readonly time: number
}

/** Returns the end of the time for which a seeker with silent means leaves a lease to others. */
const restFromNow = (time: number): number => performance.now() + time / 2

/**
 * Hands leases over to processes that can use them. `renew` renews the leases, and offers those whose
 * means are silent; `onNotice` bids for what another session offers, and gives what another bids for.
 */
function handOvers({ held, seekers, ask, release, time }: Parties) {
  const renew = () => {
    const silent = [...held].filter(([, { means }]) => means.areSilent())
    for (const [, { means }] of silent) void means.answer()
    if (silent.length === 0) return ask('SELECT 1')
    return ask(notify, [silent.map(([name]) => `${offer}${name}`)])
  }
  const onOffer = async (name: string) => {
    const seeker = seekerOf(seekers, name)
    if (seeker === undefined) return
    seeker.restsUntil = restFromNow(time)
    if (await seeker.means.answer()) await ask(notify, [[`${bid}${name}`]])
  }
  const onBid = async (name: string) => {
    const lease = held.get(name)
    if (lease?.means.areSilent()) await release(name, lease.lost)
  }
  const onNotice = async (notice: string) => {
    if (notice.startsWith(offer)) await onOffer(notice.slice(offer.length))
    if (notice.startsWith(bid)) await onBid(notice.slice(bid.length))
  }
  return { renew, onNotice }
}

async function connect(
  client: pg.Client,
  { time, renew }: { readonly time: number; readonly renew: () => Promise<unknown> },
): Promise<void> {
  await client.connect()
  await client.query(`${serverKeepAlive}; SET idle_session_timeout = ${time}; LISTEN ${channel}`)
  keepConnectionAlive(client, { ping: renew, interval: time / 4 })
}

type Seeking = Pick<Parties, 'ask' | 'time'> & {
  readonly missing: () => readonly Seeker[]
  readonly grant: (name: string) => void
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

async function seekAll({ missing, grant, ask, time }: Seeking): Promise<void> {
  for (let seekers = missing(); seekers.length > 0; seekers = missing()) {
    const names = new Set(seekers.filter((it) => isDue(it, time)).map(({ name }) => name))
    const { rows } = names.size > 0 ? await ask(tryLocks, [[...names]]) : { rows: [] }
    for (const { name } of rows) grant(name)
    if (missing().length > 0) await setTimeout(time / 40)
  }
}

/** Returns whether a seeker tries now. One with silent means asks them, and rests after its try. */
function isDue(seeker: Seeker, time: number): boolean {
  if (!seeker.means.areSilent()) return true
  if (performance.now() < seeker.restsUntil) return false
  seeker.restsUntil = restFromNow(time)
  void seeker.means.answer()
  return true
}

type Waiting = Pick<Seeker, 'name' | 'means'> & {
  readonly time: number
  readonly stop: AbortSignal
  readonly seekers: Set<Seeker>
  /** Is called after a seeker was stopped. */
  readonly leave: () => void
}

/** Waits among the seekers of a session until a lease is granted or refused, or the wait is stopped. */
function wait({ stop, seekers, leave, time, ...sought }: Waiting): Promise<PostgresLease> {
  const { promise, resolve, reject } = Promise.withResolvers<PostgresLease>()
  const seeker = { ...sought, restsUntil: restFromNow(time), grant: resolve, refuse: reject }
  const onStop = () => {
    reject(stop.reason)
    if (seekers.delete(seeker)) leave()
  }
  seekers.add(seeker)
  stop.addEventListener('abort', onStop, { once: true })
  return promise.finally(() => stop.removeEventListener('abort', onStop))
}
