import type { Align } from './align.ts'
import type { Change } from './change.ts'
import type { Value } from './json-value.ts'
import type { NumberOf } from './number-values.ts'
import type { Steps } from './run-steps.ts'

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
