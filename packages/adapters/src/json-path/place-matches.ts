import { afterValue, isContainerAt, visitMembers } from './scan-values.ts'

/** The names and numbers that lead to a value. */
export type Location = readonly (string | number)[]

/** A value that is selected, and its place in the bytes. */
export type PlacedMatch = { readonly location: Location; readonly start: number; end: number }

/** The selected values and the way to them. */
type Branch = { isMatch: boolean; readonly members: Map<string | number, Branch> }

/** Returns the places of selected values in their order in the text, each once. */
export function placeMatches(
  bytes: Buffer,
  start: number,
  locations: Iterable<Location>,
): readonly PlacedMatch[] {
  const root: Branch = { isMatch: false, members: new Map() }
  for (const location of locations) mark(root, location)
  const found: PlacedMatch[] = []
  collect(bytes, start, { branch: root, location: [], found })
  return found
}

function mark(root: Branch, location: Location): void {
  let branch = root
  for (const token of location) {
    const next = branch.members.get(token) ?? { isMatch: false, members: new Map() }
    branch.members.set(token, next)
    branch = next
  }
  branch.isMatch = true
}

type Walk = { readonly branch: Branch; readonly location: Location; readonly found: PlacedMatch[] }

function collect(bytes: Buffer, start: number, { branch, location, found }: Walk): number {
  const match = { location, start, end: start }
  if (branch.isMatch) found.push(match)
  if (branch.members.size > 0 && isContainerAt(bytes, start)) {
    match.end = visitMembers(bytes, start, (token, at) => {
      const next = branch.members.get(token)
      if (next === undefined) return afterValue(bytes, at)
      return collect(bytes, at, { branch: next, location: [...location, token], found })
    })
  } else match.end = afterValue(bytes, start)
  return match.end
}
