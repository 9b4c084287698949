import { createAligner } from './align.ts'
import type { Conflict, Merge, Resolve } from './conflict.ts'
import {
  isSameText,
  kindOf,
  type Members,
  membersOf,
  pointerTo,
  readValue,
  stringOf,
  textOf,
  type Value,
} from './json-value.ts'
import { numberLines, splitLines } from './lines.ts'
import { mergeItems } from './merge-items.ts'
import { mergeOrder } from './merge-order.ts'
import { decide, divide } from './merge-sequences.ts'
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

/** Merges three strings line by line, and returns the merged string as JSON. */
function mergeLines(merging: Merging, { path, base, ours, theirs }: Three<string>): string {
  const lines = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) }
  const [was = [], our = [], their = []] = numberLines([lines.base, lines.ours, lines.theirs])
  const numbers = { base: was, ours: our, theirs: their }
  const merged = divide(merging.align, numbers).map((chunk) => {
    const textOf = (side: keyof typeof lines) => lines[side].slice(...chunk[side]).join('')
    const inChunk = (side: keyof typeof lines) => numbers[side].slice(...chunk[side])
    const all = { base: inChunk('base'), ours: inChunk('ours'), theirs: inChunk('theirs') }
    const outcome = decide(all)
    if (outcome !== 'conflict') return textOf(outcome)
    const print = (side: keyof typeof lines) => JSON.stringify(textOf(side))
    const sides = { base: print('base'), ours: print('ours'), theirs: print('theirs') }
    const conflict = { kind: 'lines', path, at: chunk.base[0], ...sides } as const
    return JSON.parse(settle(merging, conflict, joinStrings) ?? '""') as string
  })
  return JSON.stringify(merged.join(''))
}

const joinStrings = (ours: string, theirs: string) =>
  JSON.stringify(`${JSON.parse(ours)}${JSON.parse(theirs)}`)

/** Merges the members of three objects one by one, and returns the merged object as JSON. */
function* mergeMembers(merging: Merging, three: Three<Members>): MergeSteps<string> {
  const { path, base, ours, theirs } = three
  const merged = new Map<string, string>()
  // Sorted, so that conflicts are in the same order whichever side is whose.
  const added = [...ours.keys(), ...theirs.keys()].sort()
  for (const name of new Set([...base.keys(), ...added])) {
    const values = {
      base: base.get(name)?.value,
      ours: ours.get(name)?.value,
      theirs: theirs.get(name)?.value,
    }
    const value = yield { path: pointerTo(path, name), ...values }
    const member = ours.get(name) ?? theirs.get(name) ?? base.get(name)
    if (value !== undefined && member) merged.set(name, `${member.nameText}:${value}`)
  }
  const names = { base: namesOf(base), ours: namesOf(ours), theirs: namesOf(theirs) }
  const order = mergeOrder(merging, { path, ...names }, new Set(merged.keys()))
  return `{${order.map((name) => merged.get(name)).join(',')}}`
}

const namesOf = (members: Members): readonly string[] => [...members.keys()]
