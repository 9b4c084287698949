import { batch, type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

type BatchReadsInput<T> = {
  /** The most keys of one request. */
  readonly most: number
  /** Reads the values of keys, in their order. */
  readonly read: (keys: readonly string[]) => Promise<readonly T[]>
}

/** The time after which a value is read again when something shows it, in milliseconds. */
const freshFor = 60_000

/**
 * Returns a hook that returns the value of a key once it is known, a function that has it read again
 * when something shows it next, and one that shows other values at once. One request reads all that a view shows, and a view shows what
 * an earlier one has read meanwhile.
 */
export function batchReads<T>({ most, read }: BatchReadsInput<T>) {
  // One for each key: what shows a value is shown anew for that alone.
  const known = new Map<string, Signal<T | undefined>>()
  const signalOf = (key: string) => {
    const value = known.get(key) ?? signal<T>()
    known.set(key, value)
    return value
  }
  const readAt = new Map<string, number>()
  const waiting = new Set<string>()
  const add = (keys: readonly string[], values: readonly T[]) => {
    batch(() => {
      for (const [at, key] of keys.entries()) signalOf(key).value = values[at]
    })
  }
  // The next view reads again what could not be read.
  const forget = (keys: readonly string[]) => {
    for (const key of keys) readAt.delete(key)
  }
  const readAll = async () => {
    while (waiting.size > 0) {
      const keys = [...waiting].slice(0, most)
      await read(keys).then(
        (values) => add(keys, values),
        () => forget(keys),
      )
      for (const key of keys) waiting.delete(key)
    }
  }
  const useValue = (key: string | undefined): T | undefined => {
    useEffect(() => {
      if (key === undefined || isFresh(readAt.get(key))) return
      readAt.set(key, performance.now())
      waiting.add(key)
      if (waiting.size === 1) setTimeout(() => void readAll())
    }, [key])
    return key === undefined ? undefined : signalOf(key).value
  }
  return { useValue, forget: (key: string) => forget([key]), show: add }
}

const isFresh = (at: number | undefined) => at !== undefined && performance.now() - at < freshFor
