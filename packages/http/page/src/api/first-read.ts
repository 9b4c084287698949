import { signal } from '@preact/signals'

const { promise, resolve } = Promise.withResolvers<string | undefined>()
let first: string | undefined

/**
 * The newest event before the first read of the catalogue, from which an event stream goes on without
 * another read; absent when no view has read the catalogue for a while.
 */
export const eventBeforeFirstRead = promise

/** Counts the reads beside the first that were computed at another event, and so may miss some. */
export const readsAtOtherEvents = signal(0)

/** Returns a function that notes the newest event before a read that begins now, as its response names it. */
export function beginRead(): (newestEvent: string | null) => void {
  const isBesideFirst = first === undefined
  return (newestEvent) => {
    if (newestEvent === null || !isBesideFirst) return
    if (first === undefined) {
      first = newestEvent
      resolve(first)
    } else if (first !== newestEvent) readsAtOtherEvents.value += 1
  }
}

/** The longest that the event stream waits for a first read, in milliseconds. */
const longestWait = 2_000

setTimeout(() => resolve(undefined), longestWait)
