import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../../src/api/operations/operations.ts'
import type { OperationName } from '../../../src/api/operations/paths.ts'
import { changes } from './changes.ts'
import { addressOf, getJson, type ReadInput } from './get-json.ts'
import { type Problem, toProblem } from './problem.ts'

/** A resource of the server: loading, loaded, or failed. Its value stays while it is loaded again. */
export type Resource<T> = {
  readonly value?: T
  readonly problem?: Problem
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Loads when the key changes and when the chain changes; an empty key loads nothing. */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
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
        const problem = toProblem(error)
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
    isLoading: !isFresh,
    reload: () => setTurn((it) => it + 1),
  }
}

/** Loads a read and keeps it up to date; without an input it loads nothing. */
export function useRead<name extends OperationName>(
  name: name,
  input: ReadInput<name> | undefined,
): Resource<Answer<name>> {
  const address = input === undefined ? '' : addressOf(name, input)
  return useResource(address, () => readOnce<Answer<name>>(address))
}

const running = new Map<string, Promise<unknown>>()

/** Reads an address; those who need it at one state of the chain, and who are drawn with its answer, share it. */
function readOnce<T>(address: string): Promise<T> {
  const key = `${changes.peek()} ${address}`
  const shared = running.get(key)
  if (shared !== undefined) return shared as Promise<T>
  const read = getJson<T>(address)
  running.set(key, read)
  const forget = () => running.delete(key)
  // What is drawn with the answer reads it in the same turn.
  read.then(() => setTimeout(forget), forget)
  return read
}

/** The shortest wait before a retry, in milliseconds. */
const retryDelay = 2000

/** Calls again and again while there is a problem that a retry may solve. */
export function useRetry(problem: Problem | undefined, call: () => void): void {
  const wait = Math.max(retryDelay, (problem?.wait ?? 0) * 1000)
  useInterval(call, problem?.isRetryable === true ? wait : undefined)
}

/** Calls again and again after a time in milliseconds, as long as there is one. */
export function useInterval(call: () => void, wait: number | undefined): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    if (wait === undefined) return
    const timer = setInterval(() => latest.current(), wait)
    return () => clearInterval(timer)
  }, [wait])
}
