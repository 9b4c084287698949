import { setTimeout as pause } from 'node:timers/promises'
import type { Course, Follower } from './indexer.ts'
import type { Pacing } from './poll-pace.ts'
import { standing } from '../projection/advance.ts'

/** A catalogue at work. */
export type Running = {
  readonly onChange: (call: () => void) => () => void
  /** Resolves when something was read, or soon. */
  readonly changed: () => Promise<void>
  /** Looks into an error that a question met. */
  readonly doubt: (cause: unknown) => void
  /** Returns what keeps the store from being written to. */
  readonly trouble: () => unknown
  readonly stop: () => Promise<void>
}

export type Work = {
  readonly course: Course
  readonly pace: Pacing
  /** Whether other processes write to the store too. */
  readonly isShared: boolean
  readonly step: Follower['step']
  /** Looks for the cards and the seals that are due at a time in milliseconds, and returns how many there were. */
  readonly lookUp: (now: number) => Promise<number>
}

/** How long to wait after an error, at first and at most, in milliseconds. */
const [firstWait, longestWait] = [100, 10_000]

/** How often cards and seals are looked for, and the writes of other processes, in milliseconds. */
const [lookEvery, othersEvery] = [1000, 500]

/** Begins to follow a chain, to look for cards and seals, and to call who listens. */
export function running(work: Work): Running {
  const stopped = new AbortController()
  const listeners = new Set<() => void>()
  const bell = ringing(listeners)
  const rest = (milliseconds: number) =>
    pause(milliseconds, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined)
  const state: State = { doubt: undefined, trouble: undefined }
  const it: Shift = { ...work, stopped: stopped.signal, rest, bell, state }
  const jobs = [following(it), describing(it), ...(work.isShared ? [watching(it)] : [])]
  return {
    onChange: (call) => {
      listeners.add(call)
      return () => listeners.delete(call)
    },
    changed: () => Promise.race([bell.next(), rest(50)]).then(() => undefined),
    doubt: (cause) => doubt(it, cause),
    trouble: () => state.trouble,
    stop: async () => {
      stopped.abort()
      work.pace.end()
      bell.ring()
      await Promise.all(jobs)
    },
  }
}

type Bell = { readonly ring: () => void; readonly next: () => Promise<void> }

function ringing(listeners: ReadonlySet<() => void>): Bell {
  let next = Promise.withResolvers<void>()
  return {
    next: () => next.promise,
    ring: () => {
      next.resolve()
      next = Promise.withResolvers()
      for (const listener of listeners) listener()
    },
  }
}

type Shift = Work & {
  readonly stopped: AbortSignal
  readonly rest: (milliseconds: number) => Promise<void>
  readonly bell: Bell
  readonly state: State
}

type State = {
  /** What a question met that means that the store is broken. */
  doubt: unknown
  /** What the store last failed with, until it is written to again. */
  trouble: unknown
}

// Who follows the chain may need pages that are whole, where others ask for those that are not.
function doubt({ course, pace, state }: Shift, cause: unknown): void {
  if (!course.store.isBroken(cause)) return
  state.doubt = cause
  pace.wake()
}

/** Follows the chain whenever no other process does. */
async function following(shift: Shift): Promise<void> {
  const { course, rest, stopped } = shift
  while (!stopped.aborted) {
    try {
      const { lost, release } = await course.store.lead(stopped)
      // Somebody else may have mended what was broken before.
      shift.state.doubt = undefined
      await follow(shift, lost)
      await release()
    } catch (cause) {
      if (stopped.aborted) return
      course.observe({ kind: 'failed', cause })
      await rest(firstWait)
    }
  }
}

async function follow(shift: Shift, lost: AbortSignal): Promise<void> {
  const { pace, rest, stopped } = shift
  let wait = firstWait
  const isOver = () => stopped.aborted || lost.aborted
  while (!isOver()) {
    try {
      const isNew = await readOn(shift, isOver)
      wait = firstWait
      await pace.rest(isNew)
    } catch (cause) {
      await mend(shift, cause)
      await rest(wait)
      wait = Math.min(longestWait, wait * 2)
    }
  }
}

/** Reads all that is new; tells whether there was anything. */
async function readOn(
  { bell, course, state, step }: Shift,
  isOver: () => boolean,
): Promise<boolean> {
  if (state.doubt !== undefined) throw state.doubt
  const before = await standing(course.store.db)
  while (!isOver() && (await step())) bell.ring()
  const { version } = await standing(course.store.db)
  state.trouble = undefined
  if (version === before.version) return false
  bell.ring()
  return true
}

/** Begins a broken store again, and tells of every other error. */
async function mend({ course, state, stopped }: Shift, cause: unknown): Promise<void> {
  const { observe, store } = course
  if (stopped.aborted) return
  state.trouble = store.isOwn(cause) ? cause : undefined
  if (!store.isBroken(cause)) return observe({ kind: 'failed', cause })
  try {
    await store.empty()
    state.doubt = undefined
    observe({ kind: 'rebuilt', cause })
  } catch (error) {
    observe({ kind: 'failed', cause: error })
  }
}

/** Looks for cards and seals beside the following: a block may be long in coming. */
async function describing(shift: Shift): Promise<void> {
  const { bell, course, lookUp, rest, stopped } = shift
  while (!stopped.aborted) {
    try {
      const looked = await lookUp(Date.now())
      if (looked > 0) bell.ring()
      else await Promise.race([bell.next(), rest(lookEvery)])
    } catch (cause) {
      if (!stopped.aborted) course.observe({ kind: 'failed', cause })
      doubt(shift, cause)
      await rest(lookEvery)
    }
  }
}

/** Notices what other processes have written. */
async function watching({ bell, course, rest, stopped }: Shift): Promise<void> {
  let seen: number | undefined
  while (!stopped.aborted) {
    await rest(othersEvery)
    const now = await standing(course.store.db).catch(() => undefined)
    if (now !== undefined && now.version !== seen) bell.ring()
    seen = now?.version ?? seen
  }
}
