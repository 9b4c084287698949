import { setTimeout as pause } from 'node:timers/promises'
import { type Signal, signal } from '../../platform/signal.ts'
import { readCatalogueState } from '../projection/advance.ts'
import { type DoubtLog, doubtLog, standingOf } from './doubt-log.ts'
import type { Indexer, IndexerContext } from './indexer.ts'
import type { PollPace } from './poll-pace.ts'

/** The background work of a catalogue. */
export type IndexerLoop = {
  readonly onChange: (call: () => void) => () => void
  readonly watchChanges: () => ChangeWatch
  /** Reports an error of a query, which may mean that the store is corrupt. */
  readonly reportError: (cause: unknown) => void
  /** Returns the error that prevents writes to the store. */
  readonly writeError: () => unknown
  readonly stop: () => Promise<void>
}

/** A watch that misses no change: one that comes between two waits ends the next at once. */
export type ChangeWatch = {
  /** Resolves after a change since the last wait, or after a short while. */
  readonly next: () => Promise<void>
  readonly end: () => void
}

export declare namespace indexerLoop {
  type Options = {
    readonly context: IndexerContext
    readonly pace: PollPace
    /** Whether other processes write to the store too. */
    readonly isShared: boolean
    readonly indexer: Indexer
    /** Looks up some cards and seals that are due at a time in milliseconds; returns their number. */
    readonly lookUp: (now: number) => Promise<number>
  }
}

/** The first and the longest delay after an error, in milliseconds. */
const [firstDelay, longestDelay] = [100, 10_000]

/** The number of due cards and seals of a lookup from which on there may be more. */
const fullLookup = 64

/** The intervals of lookups and of the watch for writes of other processes, in milliseconds. */
const [lookupInterval, watchInterval] = [1000, 500]

/** Starts to index a chain, to look up cards and seals, and to notify listeners. */
export function indexerLoop(options: indexerLoop.Options): IndexerLoop {
  const stopped = new AbortController()
  const listeners = new Set<() => void>()
  const notifyListeners = () => {
    for (const listener of listeners) listener()
  }
  const indexed = signal()
  const notify = () => {
    indexed.notify()
    notifyListeners()
  }
  const onChange = (call: () => void) => {
    listeners.add(call)
    return () => void listeners.delete(call)
  }
  const rest = (milliseconds: number) =>
    pause(milliseconds, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined)
  const errors: Errors = { corruption: undefined, write: undefined }
  const loop: Loop = {
    ...options,
    stopped: stopped.signal,
    rest,
    notify,
    notifyListeners,
    indexed,
    errors,
    doubts: doubtLog(options),
  }
  const tasks = [
    indexWhileLeader(loop),
    lookUpRepeatedly(loop),
    ...(options.isShared ? [watchOtherWriters(loop)] : []),
  ]
  return {
    onChange,
    watchChanges: () => watchChanges(onChange, stopped.signal),
    reportError: (cause) => reportError(loop, cause),
    writeError: () => errors.write,
    stop: async () => {
      stopped.abort()
      options.pace.end()
      notify()
      await Promise.all(tasks)
    },
  }
}

type Loop = indexerLoop.Options & {
  readonly stopped: AbortSignal
  readonly rest: (milliseconds: number) => Promise<void>
  /** Calls the listeners after blocks were indexed, and lets their cards and seals be looked up. */
  readonly notify: () => void
  /** Calls the listeners alone. */
  readonly notifyListeners: () => void
  readonly indexed: Signal
  readonly errors: Errors
  readonly doubts: DoubtLog
}

type Errors = {
  /** The error of a query that means that the store is corrupt. */
  corruption: unknown
  /** The last error of the store, until a write succeeds again. */
  write: unknown
}

/** Watches for changes from now on. */
function watchChanges(onChange: IndexerLoop['onChange'], stop: AbortSignal): ChangeWatch {
  const { notify, wait } = signal()
  return {
    next: async () => {
      // A caller waits for it, so the process must not end meanwhile.
      await wait({ milliseconds: 50, keepsProcess: true, stop })
    },
    end: onChange(notify),
  }
}

// The indexer may touch only sound pages of a file while a query hits a corrupt one.
function reportError({ context, pace, errors }: Loop, cause: unknown): void {
  if (!context.store.isBroken(cause)) return
  errors.corruption = cause
  pace.wake()
}

/** Indexes the chain whenever no other process does. */
async function indexWhileLeader(loop: Loop): Promise<void> {
  const { context, rest, stopped } = loop
  while (!stopped.aborted) {
    try {
      const { lost, release } = await context.store.lead(stopped)
      // The former leader may have rebuilt the store.
      loop.errors.corruption = undefined
      await indexUntil(loop, lost).finally(release)
      // Whether the store can be written is known to the process that writes to it now.
      loop.errors.write = undefined
    } catch (cause) {
      if (stopped.aborted) return
      context.observe({ kind: 'failed', cause })
      await rest(firstDelay)
    }
  }
}

async function indexUntil(loop: Loop, lost: AbortSignal): Promise<void> {
  const { doubts, indexer, pace, rest, stopped } = loop
  let [delay, highest] = [firstDelay, -1]
  const isOver = () => stopped.aborted || lost.aborted
  while (!isOver()) {
    try {
      const isNew = await indexToHead(loop, isOver)
      const hasMore = !isOver() && (await indexer.confirm())
      const { upTo: block } = await doubts.settle()
      // A node that shows other blocks each time makes news without end.
      if (!isNew || block > highest) delay = firstDelay
      highest = Math.max(highest, block)
      await pace.rest(isNew || hasMore)
    } catch (cause) {
      await recover(loop, cause)
      await rest(delay)
      delay = Math.min(longestDelay, delay * 2)
    }
  }
}

/** Indexes all new blocks; returns whether there were any. */
async function indexToHead(
  { notify, errors, indexer }: Loop,
  isOver: () => boolean,
): Promise<boolean> {
  if (errors.corruption !== undefined) throw errors.corruption
  const before = indexer.version()
  while (!isOver() && (await indexer.step())) notify()
  errors.write = undefined
  if (indexer.version() === before) return false
  notify()
  return true
}

/** Rebuilds a corrupt store, and reports every other error. */
async function recover({ context, doubts, errors, stopped }: Loop, cause: unknown): Promise<void> {
  const { observe, store } = context
  if (stopped.aborted) return
  errors.write = store.isStoreError(cause) ? cause : undefined
  if (!store.isBroken(cause)) return doubts.report(cause)
  try {
    await store.reset()
    errors.corruption = undefined
    observe({ kind: 'rebuilt', cause })
  } catch (error) {
    observe({ kind: 'failed', cause: error })
  }
}

/** Looks up cards and seals beside the indexing: the next block may take long. */
async function lookUpRepeatedly(loop: Loop): Promise<void> {
  const { context, rest, stopped } = loop
  while (!stopped.aborted) {
    try {
      await lookUpDue(loop)
    } catch (cause) {
      if (!stopped.aborted) context.observe({ kind: 'failed', cause })
      reportError(loop, cause)
      await rest(lookupInterval)
    }
  }
}

/** Looks up what is due, and waits for more unless there is more. */
async function lookUpDue({ lookUp, notifyListeners, indexed, stopped }: Loop): Promise<void> {
  const count = await lookUp(Date.now())
  if (count > 0) notifyListeners()
  // A token indexed during a lookup is looked up next.
  if (count < fullLookup) await indexed.wait({ milliseconds: lookupInterval, stop: stopped })
}

/** Notifies the listeners of writes by other processes. */
async function watchOtherWriters({ notify, context, rest, stopped }: Loop): Promise<void> {
  let seen: number | undefined
  while (!stopped.aborted) {
    await rest(watchInterval)
    const state = await readCatalogueState(context.store.db).catch(() => undefined)
    if (state === undefined) continue
    if (state.version !== seen) notify()
    seen = state.version
    context.observe({ kind: 'stands', ...standingOf(state) })
  }
}
