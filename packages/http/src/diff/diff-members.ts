import type { Comparing, Comparison, Place } from './comparison.ts'
import { type Members, pointerTo, textOf } from './json-value.ts'

/** Adds the differences between the members of two objects to the changes. */
export function* diffMembers(
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
