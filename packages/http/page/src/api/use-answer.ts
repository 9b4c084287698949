import { useEffect, useState } from 'preact/hooks'
import { type Problem, toProblem } from './problem.ts'

/** The last answer, and the answer to the present inputs; each is absent until it is there. */
export type Answers<T> = { readonly last?: T; readonly fresh?: T }

type Answered<T> = { readonly inputs: readonly unknown[]; readonly answer: T }

/**
 * Asks again whenever one of some inputs changes, and drops the answer to earlier ones; no answer comes
 * of what fails.
 *
 * @param pause - the time without a change before it asks, in milliseconds; it asks at once without one
 */
export function useAnswer<T>(
  ask: () => Promise<T>,
  inputs: readonly unknown[],
  pause?: number,
): Answers<T> {
  const [answered, setAnswered] = useState<Answered<T>>()
  useEffect(() => {
    let isCurrent = true
    const start = (): undefined => {
      const show = (answer: T) => isCurrent && setAnswered({ inputs, answer })
      ask().then(show, () => undefined)
    }
    const timer = pause === undefined ? start() : setTimeout(start, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, inputs)
  if (answered === undefined) return {}
  const isFresh = inputs.every((it, at) => it === answered.inputs[at])
  return { last: answered.answer, ...(isFresh && { fresh: answered.answer }) }
}

/** Collects the pages after a first one, as a visitor asks for them; none once the first one is another. */
export function useMore<T extends { readonly next?: string | null }>(
  first: T,
  read: (after: string) => Promise<T>,
) {
  const [more, setMore] = useState<readonly T[]>([])
  const { problem, run } = useRun()
  useEffect(() => setMore([]), [first.next])
  const next = (more.at(-1) ?? first).next ?? undefined
  const load = () => run(async () => setMore([...more, await read(next ?? '')]))
  return { pages: [first, ...more], next, problem, load }
}

type Running = { readonly isRunning?: boolean; readonly problem?: Problem }

/** Runs what a visitor asks for, and tells whether it runs, and why the last one failed. */
export function useRun() {
  const [{ isRunning = false, problem }, setState] = useState<Running>({})
  const run = (work: () => Promise<void>): Promise<void> => {
    setState({ isRunning: true })
    return work().then(
      () => setState({}),
      (error: unknown) => setState({ problem: toProblem(error) }),
    )
  }
  return { isRunning, problem, run }
}
