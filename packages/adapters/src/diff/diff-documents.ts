import { createAligner } from './align.ts'
import type { Change, Diff } from './change.ts'
import { type Comparing, type Comparison, type Place, runSteps } from './comparison.ts'
import { diffItems } from './diff-items.ts'
import {
  isSameText,
  kindOf,
  type Members,
  membersOf,
  numberValues,
  pointerTo,
  readValue,
  textOf,
} from './json-value.ts'

/** Adds the differences between the members of two objects to the changes. */
function* diffMembers(
  comparison: Comparison,
  place: Place,
  both: readonly [Members, Members],
): Comparing {
  addRemoved(comparison, place, both)
  const { changes } = comparison
  const [members, membersAfter] = both
  const inPlace = namesInPlace(members, membersAfter)
  for (const [name, { value }] of membersAfter) {
    const [before, path] = [members.get(name), pointerTo(place.path, name)]
    if (before === undefined) {
      changes.push({ kind: 'added', path, value: textOf(value) })
      continue
    }
    const pathBefore = pointerTo(place.pathBefore, name)
    yield { before: before.value, after: value, pathBefore, path }
    if (!inPlace.has(name)) changes.push({ kind: 'moved', path })
  }
}

function addRemoved(
  { changes }: Comparison,
  { pathBefore, path }: Place,
  [members, membersAfter]: readonly [Members, Members],
): void {
  for (const [name, { value }] of members) {
    if (membersAfter.has(name)) continue
    const [from, pathInPatch] = [pointerTo(pathBefore, name), pointerTo(path, name)]
    changes.push({ kind: 'removed', path: from, pathInPatch, value: textOf(value) })
  }
}

/** Returns the names that stay where they are while the others are put behind them in order. */
function namesInPlace(members: Members, membersAfter: Members): ReadonlySet<string> {
  const names = [...members.keys()].filter((name) => membersAfter.has(name))
  const common = [...membersAfter.keys()].filter((name) => members.has(name))
  if (names.every((name, at) => name === common[at])) return new Set(names)
  const end = [...membersAfter.keys()].findIndex((name, at) => name !== names[at])
  return new Set(names.slice(0, end))
}

/**
 * Compares two JSON texts. Strings are equal by their characters, numbers by their spelling, and
 * objects with the order of their members; an object that has a name twice is compared as a whole.
 *
 * @throws {SyntaxError} when a text is not JSON; {TooDeep} when it is nested too deeply
 */
export function diffTexts(before: string, after: string): Diff {
  if (before === after) return { isIdentical: true, changes: [], patch: '[]' }
  const changes: Change[] = []
  const comparison: Comparison = { changes, numberOf: numberValues(), align: createAligner() }
  const whole = { before: readValue(before), after: readValue(after), pathBefore: '', path: '' }
  runSteps((place: Place) => compareValues(comparison, place), whole)
  const listed = isTooLong(changes)
    ? [{ kind: 'changed', path: '', before, after } as const]
    : changes
  return { isIdentical: false, changes: listed, patch: printPatch(listed) }
}

/** The most characters of the paths of all changes. */
const mostInPaths = 2 ** 24

/** Reports whether changes below long names would fill the memory with paths: then all is one change. */
const isTooLong = (changes: readonly Change[]): boolean =>
  changes.reduce((sum, { path }) => sum + path.length, 0) > mostInPaths

function* compareValues(comparison: Comparison, place: Place): Comparing {
  const { before, after, path } = place
  if (isSameText(before, after) || (yield* compareInside(comparison, place))) return
  if (comparison.numberOf(before) === comparison.numberOf(after)) return
  const texts = { before: textOf(before), after: textOf(after) }
  comparison.changes.push({ kind: 'changed', path, ...texts })
}

/** Compares what is inside of two values; returns false when there is nothing to pair in them. */
function* compareInside(comparison: Comparison, place: Place): Comparing<boolean> {
  const { before, after } = place
  const kind = kindOf(before)
  if (kind !== kindOf(after)) return false
  if (kind === 'array') yield* diffItems(comparison, place)
  if (kind !== 'object') return kind === 'array'
  const [members, membersAfter] = [membersOf(before), membersOf(after)]
  if (members === undefined || membersAfter === undefined) return false
  yield* diffMembers(comparison, place, [members, membersAfter])
  return true
}

/** Returns changes as the text of a JSON Patch (RFC 6902), one operation on a line. */
function printPatch(changes: readonly Change[]): string {
  return changes.length === 0 ? '[]' : `[\n${changes.map(printOperation).join(',\n')}\n]`
}

function printOperation(change: Change): string {
  const path = JSON.stringify(change.kind === 'removed' ? change.pathInPatch : change.path)
  if (change.kind === 'added') return `{"op":"add","path":${path},"value":${change.value}}`
  if (change.kind === 'removed') return `{"op":"remove","path":${path}}`
  if (change.kind === 'changed') return `{"op":"replace","path":${path},"value":${change.after}}`
  // To its own place: RFC 6902 removes the member and adds it, which puts it behind the others.
  return `{"op":"move","from":${path},"path":${path}}`
}
