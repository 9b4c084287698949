import { type Members, pointerTo } from './json-value.ts'
import { mergeOrder } from './merge-order.ts'
import type { MergeSteps, Merging, Three } from './merging.ts'

/** Merges the members of three objects one by one, and returns the merged object as JSON. */
export function* mergeMembers(merging: Merging, three: Three<Members>): MergeSteps<string> {
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
