import {
  type DocumentStretch,
  maxPointerLength,
  type SelectBounds,
  type Selected,
  type SelectedValue,
} from '@heirloom/core'
import type { JSONPathQuery } from 'json-p3'
import { holdNodes } from './path-environment.ts'
import type { RestPlan } from './path-plan.ts'
import { afterValue, isContainerAt, itemAfter, visitMembers } from './scan-values.ts'

/** Evaluates the rest of a path, after its prefix, over a stretch of a document. */
export function selectInBytes(
  plan: RestPlan,
  stretch: DocumentStretch,
  bounds: SelectBounds,
): Selected {
  const { buffer, byteOffset, length } = stretch.bytes
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (stretch.items !== undefined) return selectItems(plan, { bytes, items: stretch.items }, bounds)
  const { values, add } = pageOf(bytes, bounds)
  const full = add(select(bytes, { start: 0, end: length }, plan.whole))
  return full === undefined ? { values } : { values, next: { at: 0, known: full } }
}

type Items = { readonly bytes: Buffer; readonly items: NonNullable<DocumentStretch['items']> }

function selectItems(plan: RestPlan, { bytes, items }: Items, bounds: SelectBounds): Selected {
  const { values, add } = pageOf(bytes, bounds)
  let start: number | undefined = 0
  for (let at = items.at; at < items.end && start !== undefined; at++) {
    const item = itemAfter(bytes, start)
    if (item === undefined) return { values, rest: { at, offset: start } }
    const isSelected = (at - items.first) % items.step === 0
    const full = add(isSelected ? selectItem(plan, bytes, { ...item, at }) : [])
    if (full !== undefined) return { values, next: { at, known: full } }
    start = item.following
  }
  return { values }
}

type Span = { readonly start: number; readonly end: number }

function selectItem(
  { whole, below }: RestPlan,
  bytes: Buffer,
  { at, ...span }: Span & { readonly at: number },
): readonly PlacedMatch[] {
  const matches =
    below === undefined ? select(bytes, span, whole, true) : select(bytes, span, below)
  return matches.map((match) => ({ ...match, location: [at, ...match.location] }))
}

/** Selects in a value, or in an array that has it as its only item. */
function select(
  bytes: Buffer,
  { start, end }: Span,
  query: JSONPathQuery,
  isItem = false,
): readonly PlacedMatch[] {
  const value = parseWithoutDoubled(bytes, start, end) as Parameters<JSONPathQuery['query']>[0]
  const nodes = holdNodes(query.lazyQuery(isItem ? [value] : value))
  const locations = nodes.map(({ location }) => (isItem ? location.slice(1) : location))
  return locations.length === 0 ? [] : placeMatches(bytes, start, locations)
}

/** Collects the values of an answer within its bounds. */
function pageOf(bytes: Buffer, { limit, room, longest, ...bounds }: SelectBounds) {
  const values: SelectedValue[] = []
  let left = room
  let { known } = bounds
  const addOne = ({ location, start, end }: PlacedMatch): boolean => {
    const length = end - start
    const isShort = length <= longest
    if (values.length >= limit || (isShort && length > left)) return false
    const text = isShort ? { text: bytes.toString('utf8', start, end) } : {}
    values.push({ ...tokensOf(location), bytes: length, ...text })
    if (isShort) left -= length
    return true
  }
  /** Adds the matches of a value or item; returns the index of the first that had no room. */
  const add = (matches: readonly PlacedMatch[]): number | undefined => {
    const from = known
    known = 0
    const full = matches.findIndex((match, index) => index >= from && !addOne(match))
    return full < 0 ? undefined : full
  }
  return { values, add }
}

function tokensOf(location: Location): Pick<SelectedValue, 'tokens'> {
  const tokens = location.map(String)
  const length = tokens.reduce((sum, token) => sum + token.length + 1, 0)
  return length > maxPointerLength ? {} : { tokens }
}

/** Parses the value at a position, without the members whose name their object has twice. */
function parseWithoutDoubled(bytes: Buffer, start: number, end: number): unknown {
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
  const doubled: (readonly (string | number)[])[] = []
  collectDoubled(bytes, start, { path: [], doubled })
  for (const path of doubled) removeMember(value, path)
  return value
}

type Search = {
  /** The names and numbers that lead to the value. */
  readonly path: (string | number)[]
  readonly doubled: (readonly (string | number)[])[]
}

function collectDoubled(bytes: Buffer, start: number, search: Search): number {
  if (!isContainerAt(bytes, start)) return afterValue(bytes, start)
  const { path, doubled } = search
  const names = new Set<string>()
  return visitMembers(bytes, start, (token, at) => {
    path.push(token)
    if (typeof token === 'string') {
      if (names.has(token)) doubled.push([...path])
      names.add(token)
    }
    const end = collectDoubled(bytes, at, search)
    path.pop()
    return end
  })
}

function removeMember(value: unknown, path: readonly (string | number)[]): void {
  let above = value as Record<string | number, unknown> | undefined
  for (const token of path.slice(0, -1)) {
    // What is above may have been removed, or be the other one of two with its name.
    if (typeof above !== 'object' || above === null || !Object.hasOwn(above, token)) return
    above = above[token] as typeof above
  }
  if (typeof above === 'object' && above !== null) delete above[path.at(-1) as string | number]
}

/** The names and numbers that lead to a value. */
type Location = readonly (string | number)[]

/** A value that is selected, and its place in the bytes. */
type PlacedMatch = { readonly location: Location; readonly start: number; end: number }

/** The selected values and the way to them. */
type Branch = { isMatch: boolean; readonly members: Map<string | number, Branch> }

/** Returns the places of selected values in their order in the text, each once. */
function placeMatches(
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
