import { createAligner } from './align.ts'
import type { Conflict, Merge, Resolve } from './change.ts'
import { runSteps } from './comparison.ts'
import {
  isSameText,
  kindOf,
  type Members,
  membersOf,
  numberValues,
  pointerTo,
  readValue,
  stringOf,
  textOf,
  type Value,
} from './json-value.ts'
import { numberLines, splitLines } from './lines.ts'
import { decide, divide, mergeItems } from './merge-items.ts'
import { type MergeSteps, type Merging, settle, type Three } from './merging.ts'

type Names = readonly string[]

/**
 * Returns the names of a merged object in order: that of the side that changed it, and each name that
 * one side has alone behind the name that it follows there. An order that both sides changed in
 * different ways is a conflict.
 */
function mergeOrder(merging: Merging, three: Three<Names>, merged: ReadonlySet<string>): Names {
  const ours = three.ours.filter((name) => merged.has(name))
  const theirs = three.theirs.filter((name) => merged.has(name))
  const inBoth = intersection(ours, theirs)
  const common = sharedOrder(merging, three, inBoth)
  const known = new Set(common)
  const [after, afterTheirs] = [followers(ours, known), followers(theirs, known)]
  const inOrder = [undefined, ...common].flatMap((name) => [
    ...(name === undefined ? [] : [name]),
    ...joinNew(after.get(name) ?? [], afterTheirs.get(name) ?? []),
  ])
  // A name that a resolved conflict took from the base is on neither side.
  return [...new Set([...inOrder, ...merged])]
}

/** Returns the order of the names that both sides have. */
function sharedOrder(merging: Merging, three: Three<Names>, inBoth: ReadonlySet<string>): Names {
  const { path } = three
  const ours = three.ours.filter((name) => inBoth.has(name))
  const theirs = three.theirs.filter((name) => inBoth.has(name))
  if (isSame(ours, theirs)) return ours
  const inAll = intersection(three.base, ours)
  const old = (names: Names) => names.filter((name) => inAll.has(name))
  const base = three.base.filter((name) => inBoth.has(name))
  const [isOurs, isTheirs] = [!isSame(old(ours), base), !isSame(old(theirs), base)]
  if (isOurs !== isTheirs) return isOurs ? ours : theirs
  const sides = { base: JSON.stringify(base), ours: JSON.stringify(ours) }
  const conflict = { kind: 'order', path, ...sides, theirs: JSON.stringify(theirs) } as const
  const decided: readonly unknown[] = JSON.parse(settle(merging, conflict) ?? '[]')
  return [...new Set([...decided.filter((it) => inBoth.has(`${it}`)).map(String), ...ours])]
}

const intersection = (names: Names, others: Names): ReadonlySet<string> => {
  const all = new Set(others)
  return new Set(names.filter((name) => all.has(name)))
}

const isSame = (names: Names, others: Names): boolean =>
  names.length === others.length && names.every((name, at) => name === others[at])

/** Returns the names that are not known, by the known name that they follow. */
function followers(
  names: Names,
  known: ReadonlySet<string>,
): ReadonlyMap<string | undefined, Names> {
  const found = new Map<string | undefined, string[]>()
  let last: string | undefined
  for (const name of names) {
    if (known.has(name)) last = name
    else addTo(found, last, name)
  }
  return found
}

function addTo(
  found: Map<string | undefined, string[]>,
  last: string | undefined,
  name: string,
): void {
  const names = found.get(last)
  if (names === undefined) found.set(last, [name])
  else names.push(name)
}

/** Joins the new names of both sides, in the same order whichever side is whose. */
const joinNew = (ours: Names, theirs: Names): Names => {
  const isFirst = (ours[0] ?? '') <= (theirs[0] ?? '')
  return isFirst ? [...ours, ...theirs] : [...theirs, ...ours]
}

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
