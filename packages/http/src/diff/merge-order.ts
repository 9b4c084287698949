import { type Merging, settle, type Three } from './merging.ts'

type Names = readonly string[]

/**
 * Returns the names of a merged object in order: that of the side that changed it, and each name that
 * one side has alone behind the name that it follows there. An order that both sides changed in
 * different ways is a conflict.
 */
export function mergeOrder(
  merging: Merging,
  three: Three<Names>,
  merged: ReadonlySet<string>,
): Names {
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
