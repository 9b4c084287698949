import {
  kindOf,
  readTape,
  stringOf,
  type Tape,
  type Kind as TapeKind,
  textOf,
} from '@heirloom/adapters/internal/diff/json-value'

/** The kind of a value as it is shown. */
export type NodeKind = TapeKind

/** A parsed document, and what was counted in it. */
export type TreeDocument = { readonly tape: Tape; readonly children: Map<number, Uint32Array> }

/**
 * Reads a JSON text as a tree of nodes. A node is a place on the tape, so numbers, escapes and the
 * order of members stay as they are written.
 *
 * @throws {SyntaxError} when the text is not JSON; {TooDeep} when it is nested too deeply
 */
export const readTree = (text: string): TreeDocument => ({
  tape: readTape(text),
  children: new Map(),
})

/** Returns the kind of a node. */
export const kindOfNode = ({ tape }: TreeDocument, node: number): NodeKind => kindOf({ tape, node })

/** Returns the exact JSON text of a node. */
export const jsonOfNode = ({ tape }: TreeDocument, node: number): string => textOf({ tape, node })

/** Returns the string that a string node stands for. */
export const stringOfNode = ({ tape }: TreeDocument, node: number): string =>
  stringOf({ tape, node })

/** Returns the length of the JSON text of a node, in UTF-16 code units. */
export const lengthOfNode = ({ tape: { starts, ends } }: TreeDocument, node: number): number =>
  (ends[node] ?? 0) - (starts[node] ?? 0)

export const isBranch = (document: TreeDocument, node: number): boolean => {
  const kind = kindOfNode(document, node)
  return kind === 'object' || kind === 'array'
}

/** Returns the values directly inside a node; the name of a member is the node before its value. */
export function childrenOfNode(document: TreeDocument, node: number): Uint32Array {
  const known = document.children.get(node)
  if (known !== undefined) return known
  const found = isBranch(document, node)
    ? firstChildren(document, node, Number.POSITIVE_INFINITY)
    : []
  const children = Uint32Array.from(found)
  // Small ones are as fast to find again.
  if (children.length > 64) document.children.set(node, children)
  return children
}

/** Returns the first children of a node, one more than `most` at the most. */
export function firstChildren(
  document: TreeDocument,
  node: number,
  most: number,
): readonly number[] {
  const { nexts } = document.tape
  const isObject = kindOfNode(document, node) === 'object'
  const children: number[] = []
  const end = nexts[node] as number
  let child = node + 1
  while (child < end && children.length <= most) {
    if (isObject) child++
    children.push(child)
    child = nexts[child] as number
  }
  return children
}

/** Returns whether a node is the value of a member, whose name is the node before it. */
export function isMember({ tape: { text, starts, ends } }: TreeDocument, node: number): boolean {
  if (node === 0 || node >= starts.length) return false
  return text.slice(ends[node - 1], starts[node]).includes(':')
}

/** Returns the value of the last member with a name, as `JSON.parse` does. */
export function memberOfNode(
  document: TreeDocument,
  node: number,
  name: string,
): number | undefined {
  if (kindOfNode(document, node) !== 'object') return undefined
  const found = childrenOfNode(document, node).findLast(
    (child) => stringOfNode(document, child - 1) === name,
  )
  return found
}

/** A step from a value to one inside it. */
export type Step = string | number

/** Returns the name or the index of a child. */
function stepTo(document: TreeDocument, parent: number, index: number): Step {
  const child = childrenOfNode(document, parent)[index] ?? 0
  return kindOfNode(document, parent) === 'object' ? stringOfNode(document, child - 1) : index
}

/** Returns the node that the steps of a path lead to. */
export function nodeAt(document: TreeDocument, steps: readonly Step[]): number | undefined {
  let node: number | undefined = 0
  for (const step of steps) {
    if (node === undefined) return undefined
    const isList: boolean = kindOfNode(document, node) === 'array'
    node = isList
      ? childrenOfNode(document, node)[Number(step)]
      : memberOfNode(document, node, `${step}`)
  }
  return node
}

/** The children that lead from the root to a node, as indexes. */
export type Route = readonly number[]

/** Returns the way from a node to another one inside it. */
export function routeTo(document: TreeDocument, target: number, from = 0): Route {
  const route: number[] = []
  let node = from
  while (node !== target && isBranch(document, node)) {
    const children = childrenOfNode(document, node)
    const index = lastAtMost(children, target)
    const child = children[index]
    if (child === undefined) break
    route.push(index)
    node = child
  }
  return route
}

/** Returns the index of the last number that is not above a limit, in a sorted list. */
export function lastAtMost(sorted: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Returns the steps from the root to a node. */
export function stepsTo(document: TreeDocument, target: number): readonly Step[] {
  const steps: Step[] = []
  let node = 0
  for (const index of routeTo(document, target)) {
    steps.push(stepTo(document, node, index))
    node = childrenOfNode(document, node)[index] as number
  }
  return steps
}

const shorthand = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Formats steps as a JSONPath (RFC 9535) that selects the one value. */
export function formatPath(steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    return shorthand.test(step) ? `${path}.${step}` : `${path}[${quote(step)}]`
  }, '$')
}

/** Quotes a name as RFC 9535 §2.3.1 does in a normalized path. */
const quote = (name: string): string =>
  `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The most matches of a search. */
export const mostMatches = 10_000

/** The number of nodes that are searched before other calls have their turn. */
const stretch = 100_000

/**
 * Searches names and values for a text, in any case of letters; yields the matches so far after
 * each stretch. A match is the node of the value, whose name or text has the text in it.
 */
export function* searchNodes(document: TreeDocument, text: string): Generator<readonly number[]> {
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
  const found = new Set<number>()
  const { length } = document.tape.starts
  for (let from = 0; from < length && found.size < mostMatches; from += stretch) {
    addMatches({ document, pattern, found }, from, Math.min(length, from + stretch))
    yield [...found].slice(0, mostMatches)
  }
}

type Search = {
  readonly document: TreeDocument
  readonly pattern: RegExp
  readonly found: Set<number>
}

function addMatches({ document, pattern, found }: Search, from: number, to: number): void {
  for (let node = from; node < to && found.size < mostMatches; node++) {
    if (matches(document, node, pattern)) found.add(isMember(document, node + 1) ? node + 1 : node)
  }
}

function matches(document: TreeDocument, node: number, pattern: RegExp): boolean {
  const kind = kindOfNode(document, node)
  if (kind === 'string') return pattern.test(stringOfNode(document, node))
  if (kind !== 'word') return false
  const { text, starts, ends } = document.tape
  return pattern.test(text.slice(starts[node], ends[node]))
}
