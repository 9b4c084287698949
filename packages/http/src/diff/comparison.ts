import type { Align } from './align.ts'
import type { Change } from './change.ts'
import type { Value } from './json-value.ts'
import type { NumberOf } from './number-values.ts'

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
  /** Compares the values at a place, and adds what differs to the changes. */
  readonly compare: (place: Place) => void
}
