import { useEffect, useRef, useState } from 'preact/hooks'
import { changes } from './changes.ts'
import { type Problem, problemOf } from './problem.ts'

/** What was asked for: not there yet, there, or refused. What was there stays while it is asked again. */
export type Asked<T> = {
  readonly value?: T
  readonly problem?: Problem
  readonly isAsking: boolean
  readonly again: () => void
}

/** Asks when the key changes and when something happened on the chain; an empty key asks nothing. */
export function useAsked<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Asked<T> {
  const [state, setState] = useState<{ key: string; value?: T; problem?: Problem }>({ key: '' })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const change = changes.value
  useEffect(() => {
    if (key === '') return
    const stop = new AbortController()
    latest.current(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ key, value })
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        const problem = problemOf(error)
        setState((old) => (old.key === key ? { ...old, problem } : { key, problem }))
      },
    )
    return () => stop.abort()
  }, [key, change, turn])
  useRetry(state.problem?.isPassing === true, () => setTurn((it) => it + 1))
  const isFresh = state.key === key
  return {
    ...(isFresh && state.value !== undefined && { value: state.value }),
    ...(isFresh && state.problem !== undefined && { problem: state.problem }),
    isAsking: !isFresh,
    again: () => setTurn((it) => it + 1),
  }
}

/** How long to wait before asking again after a failure that may pass, in milliseconds. */
const patience = 2000

function useRetry(isWanted: boolean, call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    if (!isWanted) return
    const timer = setInterval(() => latest.current(), patience)
    return () => clearInterval(timer)
  }, [isWanted])
}
