import { createAligner } from './align.ts'
import type { Conflict, Merge, Resolve } from './conflict.ts'
import {
  isSameText,
  kindOf,
  membersOf,
  readValue,
  stringOf,
  textOf,
  type Value,
} from './json-value.ts'
import { mergeItems } from './merge-items.ts'
import { mergeLines } from './merge-lines.ts'
import { mergeMembers } from './merge-members.ts'
import { type MergeSteps, type Merging, settle, type Three } from './merging.ts'
import { numberValues } from './number-values.ts'
import { runSteps } from './run-steps.ts'

/**
 * Merges two JSON texts that were changed from one base. What only one side changed is taken from
 * that side, with its exact text; what both changed in different ways is a conflict. Parts of objects,
 * items of lists and lines of strings are merged one by one.
 *
 * @throws {SyntaxError} when a text is not JSON; {TooDeep} when it is nested too deeply
 */
export function mergeTexts(
  { base, ours, theirs }: Readonly<Record<'base' | 'ours' | 'theirs', string>>,
  resolve: Resolve = () => undefined,
): Merge {
  const conflicts: Conflict[] = []
  const merging = { numberOf: numberValues(), align: createAligner(), resolve, conflicts }
  const values = { base: readValue(base), ours: readValue(ours), theirs: readValue(theirs) }
  const begin = (three: Three<Value | undefined>) => mergeValues(merging, three)
  const text = runSteps(begin, { path: '', ...values })
  return conflicts.length > 0 ? { conflicts } : { text, conflicts }
}

function* mergeValues(
  merging: Merging,
  three: Three<Value | undefined>,
): MergeSteps<string | undefined> {
  const { path, base, ours, theirs } = three
  const written = decideBy(three, isAlike)
  if (written !== undefined) return textIn(three[written])
  if (base !== undefined && ours !== undefined && theirs !== undefined) {
    const inside = yield* mergeInside(merging, { path, base, ours, theirs })
    if (inside !== undefined) return inside
  }
  const number = (value: Value | undefined) => value && merging.numberOf(value)
  const equal = decideBy(three, (one, other) => number(one) === number(other))
  if (equal !== undefined) return textIn(three[equal])
  const sides = { base: textIn(base), ours: textIn(ours), theirs: textIn(theirs) }
  return settle(merging, { kind: 'value', path, ...sides })
}

const textIn = (value: Value | undefined) => value && textOf(value)

/** Returns the side that a value is taken from; `undefined` when both sides changed it. */
function decideBy<T>(
  { base, ours, theirs }: Three<T>,
  isEqual: (one: T, other: T) => boolean,
): 'ours' | 'theirs' | undefined {
  if (isEqual(base, theirs) || isEqual(ours, theirs)) return 'ours'
  return isEqual(base, ours) ? 'theirs' : undefined
}

const isAlike = (one: Value | undefined, other: Value | undefined): boolean =>
  one === undefined || other === undefined ? one === other : isSameText(one, other)

/** Merges what is inside of three values; `undefined` when they must be merged as a whole. */
function* mergeInside(merging: Merging, three: Three): MergeSteps<string | undefined> {
  const kind = kindOf(three.base)
  if (kind !== kindOf(three.ours) || kind !== kindOf(three.theirs)) return undefined
  if (kind === 'array') return yield* mergeItems(merging, three)
  if (kind === 'object') return yield* mergeObjects(merging, three)
  return kind === 'string' ? mergeStrings(merging, three) : undefined
}

function* mergeObjects(merging: Merging, three: Three): MergeSteps<string | undefined> {
  const { path } = three
  const [base, ours, theirs] = [three.base, three.ours, three.theirs].map(membersOf)
  if (base === undefined || ours === undefined || theirs === undefined) return undefined
  return yield* mergeMembers(merging, { path, base, ours, theirs })
}

function mergeStrings(merging: Merging, { path, base, ours, theirs }: Three): string | undefined {
  const strings = { base: stringOf(base), ours: stringOf(ours), theirs: stringOf(theirs) }
  const hasLines = Object.values(strings).some((it) => it.includes('\n'))
  return hasLines ? mergeLines(merging, { path, ...strings }) : undefined
}
