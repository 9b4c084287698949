import { isMember, kindOfNode, stringOfNode, type TreeDocument } from './tree-nodes.ts'

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
