import type { Align } from './align.ts'
import type { Change } from './change.ts'
import type { NumberOf, Value } from './json-value.ts'

/** Work in steps: yields what is to be done further inside, and gets its result. */
export type Steps<Request, Result, Inside = Result> = Generator<Request, Result, Inside>

/**
 * Returns the result of a request, whose steps may request what is further inside. They wait in a list
 * and not on the stack of calls, so that no depth of a document is too deep for them.
 */
export function runSteps<Request, Result>(
  begin: (request: Request) => Steps<Request, Result>,
  first: Request,
): Result {
  const open = [begin(first)]
  let answer: Result | undefined
  for (;;) {
    // The first step of each takes no answer.
    const { done, value } = (open.at(-1) as (typeof open)[number]).next(answer as Result)
    if (done !== true) {
      open.push(begin(value))
      answer = undefined
      continue
    }
    open.pop()
    if (open.length === 0) return value
    answer = value
  }
}

/** Two values that stand at the same place of two documents. */
export type Place = {
  readonly before: Value
  readonly after: Value
  /** The place in the older document. */
  readonly pathBefore: string
  /** The place in the newer document. */
  readonly path: string
}

/** A comparison of two documents, and the changes that it has found. */
export type Comparison = {
  readonly changes: Change[]
  readonly numberOf: NumberOf
  readonly align: Align
}

/** A comparison in steps, which yields the places further inside that are compared next. */
export type Comparing<Result = void> = Steps<Place, Result, void>
