import { isConversation, messagesOf } from './conversation.ts'
import { showInLine, stringStart } from './preview-node.ts'
import { isTable } from './table.ts'
import {
  childrenOfNode,
  formatPath,
  isMember,
  kindOfNode,
  lengthOfNode,
  stepsTo,
  type TreeDocument,
} from './tree-nodes.ts'

/** A way to read a value other than as a tree. */
export type ReadingKind = 'conversation' | 'table' | 'markdown'

/** A value that can be read in another way. */
export type Reading = {
  readonly kind: ReadingKind
  readonly node: number
  readonly path: string
  /** The number of its messages, rows or characters. */
  readonly size: number
}

/** The most readings that are listed. */
const mostReadings = 100

/** The most nodes that are looked at. */
const mostNodes = 1_000_000

/** Lists the conversations, tables and Markdown texts of a document, in their order. */
export function listReadings(document: TreeDocument): readonly Reading[] {
  const found: Reading[] = []
  const { starts, nexts } = document.tape
  const end = Math.min(starts.length, mostNodes)
  for (let node = 0; node < end && found.length < mostReadings; ) {
    const kind = readingOf(document, node)
    if (kind !== undefined) found.push(describe(document, node, kind))
    // What is inside one is part of it.
    node = kind === undefined ? node + 1 : (nexts[node] as number)
  }
  return found
}

function describe(document: TreeDocument, node: number, kind: ReadingKind): Reading {
  return {
    kind,
    node,
    path: showInLine(pathOf(document, node)),
    size: sizeOf(document, node, kind),
  }
}

const pathOf = (document: TreeDocument, node: number) => formatPath(stepsTo(document, node))

function sizeOf(document: TreeDocument, node: number, kind: ReadingKind): number {
  if (kind === 'conversation') return messagesOf(document, node).length
  if (kind === 'table') return childrenOfNode(document, node).length
  return lengthOfNode(document, node) - 2
}

/** Returns the way in which a node can be read; `undefined` when it is only a part of the tree. */
export function readingOf(document: TreeDocument, node: number): ReadingKind | undefined {
  const kind = kindOfNode(document, node)
  if (kind === 'word') return undefined
  if (kind === 'string') return isMarkdown(document, node) ? 'markdown' : undefined
  if (isConversation(document, node)) return 'conversation'
  return isTable(document, node) ? 'table' : undefined
}

const marks = /^#{1,6} \S|^\s*[-*] \S|^\s*\d+\. \S|^```|^> \S|\*\*\S|\]\(|^\|.*\|$/m

/** Returns whether a string is Markdown: it has lines, and marks of it. */
function isMarkdown(document: TreeDocument, node: number): boolean {
  if (lengthOfNode(document, node) < 12 || isName(document, node)) return false
  const start = stringStart(document, node, 4_000)
  return start.includes('\n') && marks.test(start)
}

const isName = (document: TreeDocument, node: number) => isMember(document, node + 1)
