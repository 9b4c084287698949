import type { Align } from './align.ts'
import type { Conflict, Resolve } from './change.ts'
import type { Steps } from './comparison.ts'
import type { NumberOf, Value } from './json-value.ts'

/** The values of three documents at one place; absent where a document has none. */
export type Three<T = Value> = {
  readonly path: string
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/** A merge of two documents that come from one, and the conflicts that it has found. */
export type Merging = {
  readonly numberOf: NumberOf
  readonly align: Align
  readonly resolve: Resolve
  /** The conflicts that nothing has resolved. */
  readonly conflicts: Conflict[]
}

/**
 * A merge in steps, which yields the values further inside that are merged next, and gets the merged
 * text, absent when it is removed.
 */
export type MergeSteps<Result> = Steps<Three<Value | undefined>, Result, string | undefined>

/** Resolves a conflict, or adds it to those that are left. Returns the text it becomes. */
export function settle(
  { resolve, conflicts }: Pick<Merging, 'resolve' | 'conflicts'>,
  conflict: Conflict,
  joinBoth?: (ours: string, theirs: string) => string,
): string | undefined {
  const resolution = resolve(conflict)
  if (resolution !== undefined && 'value' in resolution) return checked(conflict, resolution.value)
  if (resolution !== undefined && resolution.take !== 'both') return conflict[resolution.take]
  const { ours, theirs } = conflict
  if (resolution && joinBoth && ours !== undefined && theirs !== undefined) {
    return joinBoth(ours, theirs)
  }
  conflicts.push(conflict)
  return ours
}

const openings: Readonly<Partial<Record<Conflict['kind'], RegExp>>> = {
  items: /^\s*\[/,
  lines: /^\s*"/,
  order: /^\s*\[/,
}

/** Returns the value that resolves a conflict. @throws {SyntaxError} {TypeError} */
function checked({ kind, path }: Conflict, value: string): string {
  JSON.parse(value)
  if (openings[kind]?.test(value) ?? true) return value
  const expected = kind === 'lines' ? 'a string' : 'a list'
  throw new TypeError(`The conflict of ${kind} at ${path} must become ${expected}.`)
}
