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
  useRetry(state.problem, () => setTurn((it) => it + 1))
  const isFresh = state.key === key
  return {
    ...(isFresh && state.value !== undefined && { value: state.value }),
    ...(isFresh && state.problem !== undefined && { problem: state.problem }),
    isAsking: !isFresh,
    again: () => setTurn((it) => it + 1),
  }
}

/** How long to wait at least before asking again after a failure that may pass, in milliseconds. */
const patience = 2000

function useRetry(problem: Problem | undefined, call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  const isWanted = problem?.isPassing === true
  const wait = Math.max(patience, (problem?.wait ?? 0) * 1000)
  useEffect(() => {
    if (!isWanted) return
    const timer = setInterval(() => latest.current(), wait)
    return () => clearInterval(timer)
  }, [isWanted, wait])
}
