import type { Lineage, Relative } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { type Resource, useResource } from '../api/use-resource.ts'

/** A token that is shown, or a sign that stands for some that are not. */
export type LineageItem = {
  /** The id of the token, or a name of the sign. */
  readonly id: string
  /** The id of the item that it is drawn after; absent for the first. */
  readonly parent: string | undefined
} & (
  | { readonly kind: 'token'; readonly relative: Relative }
  | {
      readonly kind: 'fold'
      /** The number of tokens that it stands for. */
      readonly hidden: number
      /** The first of them, which is shown once it is opened. */
      readonly first: string
    }
)

/** The ids of the signs that were opened. */
export type OpenedFolds = ReadonlySet<string>

/** The tokens that are shown where there are more, and the further ones that a sign opens. */
const shown = {
  /** The first children of a token. */
  children: 5,
  /** The generations below the token of the page. */
  generations: 3,
  /** The tokens of a line without branches, at its start and at its end. */
  lineStart: 2,
  lineEnd: 2,
  /** Those that one more opening adds. */
  more: 30,
} as const

/**
 * Folds a lineage, so that a family of any size is drawn at once: of long lines without branches the
 * start and the end are shown, of many children the first, and of many generations the nearest. Each
 * token is shown, or one sign stands for it.
 */
export function foldLineage(lineage: Lineage, opened: OpenedFolds): readonly LineageItem[] {
  const { token, link, ancestors, descendants } = lineage
  const family = familyOf(descendants)
  const folding: Folding = { ...family, opened, items: [] }
  const above = addLine(folding, undefined, ancestors.toReversed())
  addBranch(folding, above, { relative: { token, link }, generation: 0 })
  return folding.items
}

type Family = Readonly<ReturnType<typeof familyOf>>

type Folding = Family & { readonly opened: OpenedFolds; readonly items: LineageItem[] }

/** Finds the children of tokens, and counts the tokens below them. */
function familyOf(descendants: readonly Relative[]) {
  const children = Map.groupBy(descendants, ({ token }) => token.parent)
  const childrenOf = ({ token }: Relative): readonly Relative[] => children.get(token.tokenId) ?? []
  const counts = new Map<string, number>()
  // From the last generation to the first, since a line of parents may be long.
  for (const relative of descendants.toReversed()) {
    const { tokenId, parent } = relative.token
    counts.set(parent, (counts.get(parent) ?? 0) + 1 + (counts.get(tokenId) ?? 0))
  }
  return { childrenOf, countBelow: ({ token }: Relative) => counts.get(token.tokenId) ?? 0 }
}

const idOf = (relative: Relative) => relative.token.tokenId

function addToken({ items }: Folding, parent: string | undefined, relative: Relative): string {
  items.push({ kind: 'token', id: idOf(relative), parent, relative })
  return idOf(relative)
}

type Sign = { readonly id: string; readonly hidden: number; readonly first: Relative }

function addFold({ items }: Folding, parent: string, { id, hidden, first }: Sign): string {
  items.push({ kind: 'fold', id, parent, hidden, first: idOf(first) })
  return id
}

/** Returns how many are shown: some, and more for each sign that was opened; all, if one would be left. */
function countShown(
  opened: OpenedFolds,
  of: string,
  { some, all }: Record<'some' | 'all', number>,
) {
  let count: number = some
  while (count < all && opened.has(`${of}/${count}`)) count += shown.more
  return count >= all - 1 ? all : count
}

/** Adds tokens each of which is the only child of the one before; returns the id of the last item. */
function addLine(
  folding: Folding,
  above: string | undefined,
  line: readonly Relative[],
): string | undefined {
  const of = `line-${line[0] === undefined ? '' : idOf(line[0])}`
  const [some, all] = [shown.lineStart, line.length - shown.lineEnd]
  const start = all <= some ? line.length : countShown(folding.opened, of, { some, all })
  const end = Math.max(start, all)
  let last = above
  for (const relative of line.slice(0, start)) last = addToken(folding, last, relative)
  const first = line[start]
  if (start < end && first !== undefined && last !== undefined)
    last = addFold(folding, last, { id: `${of}/${start}`, hidden: end - start, first })
  for (const relative of line.slice(end)) last = addToken(folding, last, relative)
  return last
}

type Place = { readonly relative: Relative; readonly generation: number }

/** Adds a token and what is below it. */
function addBranch(folding: Folding, above: string | undefined, place: Place): void {
  const line = lineFrom(folding, place.relative)
  const last = addLine(folding, above, line)
  const end = line.at(-1) ?? place.relative
  if (last !== undefined) addChildren(folding, last, { ...place, relative: end })
}

/** Returns a token and its only children, down to one that has several or none. */
function lineFrom({ childrenOf }: Family, from: Relative): readonly Relative[] {
  const line = [from]
  for (;;) {
    const children = childrenOf(line.at(-1) as Relative)
    if (children.length !== 1) return line
    line.push(children[0] as Relative)
  }
}

function addChildren(folding: Folding, above: string, { relative, generation }: Place): void {
  const { childrenOf, countBelow, opened } = folding
  const children = childrenOf(relative)
  const [first] = children
  if (first === undefined) return
  const below = `below-${idOf(relative)}`
  const isFar = generation >= shown.generations
  if (isFar && !opened.has(below)) {
    addFold(folding, above, { id: below, hidden: countBelow(relative), first })
    return
  }
  const of = `children-${idOf(relative)}`
  const count = countShown(opened, of, { some: shown.children, all: children.length })
  for (const child of children.slice(0, count))
    addBranch(folding, above, { relative: child, generation: isFar ? 1 : generation + 1 })
  const rest = children.slice(count)
  if (rest[0] === undefined) return
  const hidden = rest.reduce((sum, child) => sum + 1 + countBelow(child), 0)
  addFold(folding, above, { id: `${of}/${count}`, hidden, first: rest[0] })
}

/** The descendants that the server returns at once. */
const pageLength = 500

/** The most further pages that are read. */
const mostPages = 40

/** Reads what was cut from a lineage, once that is wanted; nothing where all is there. */
export function useWholeLineage(lineage: Lineage, isWhole: boolean): Resource<Lineage> {
  const { tokenId } = lineage.token
  const last = lastIdOf(lineage)
  const key = isWhole && lineage.isCut && last !== undefined ? `${tokenId} ${last}` : ''
  return useResource(key, (signal) => readRest(lineage, signal))
}

/** Returns the id after which the descendants go on. */
const lastIdOf = ({ descendants }: Lineage) => descendants.at(-1)?.token.tokenId

async function readRest(lineage: Lineage, signal: AbortSignal): Promise<Lineage> {
  const descendants = [...lineage.descendants]
  const { tokenId } = lineage.token
  let { isCut } = lineage
  let after = lastIdOf(lineage)
  for (let pages = 0; pages < mostPages && after !== undefined; pages += 1) {
    const page: Lineage = await readNow('lineage', { tokenId, after }, { signal })
    descendants.push(...page.descendants)
    isCut = page.isCut
    after = page.descendants.length < pageLength ? undefined : lastIdOf(page)
  }
  return { ...lineage, descendants, isCut }
}
