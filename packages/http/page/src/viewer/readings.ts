import { isConversation, messagesOf } from './conversation.ts'
import { previewNode, showInLine, stringStart } from './preview-node.ts'
import {
  childrenOfNode,
  firstChildren,
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

/** A stretch of a list of objects, as a table. */
export type Table = {
  readonly columns: readonly string[]
  /** The number of names that have no column. */
  readonly hidden: number
  /** The number of all rows. */
  readonly total: number
  readonly rows: readonly TableRow[]
}

export type TableRow = {
  readonly node: number
  /** The previews of its values, in the order of the columns; absent members are `undefined`. */
  readonly cells: readonly (string | undefined)[]
}

/** The most columns of a table. */
const mostColumns = 12

/** The rows whose names make the columns. */
const looked = 100

/** Returns whether a node is a list of objects, none of which holds a conversation. */
function isTable(document: TreeDocument, node: number): boolean {
  if (kindOfNode(document, node) !== 'array') return false
  const first = firstChildren(document, node, 5)
  if (first.length < 2 || isConversation(document, node)) return false
  return first.every((it) => kindOfNode(document, it) === 'object') && !holdsChat(document, first)
}

const holdsChat = (document: TreeDocument, rows: readonly number[]): boolean =>
  rows.some(
    (row) =>
      isConversation(document, row) ||
      firstChildren(document, row, 30).some((member) => isConversation(document, member)),
  )

/** Reads the rows of a table from one index to another. */
export function readTable(document: TreeDocument, node: number, from: number, to: number): Table {
  const all = childrenOfNode(document, node)
  const { columns, hidden } = columnsOf(document, all.subarray(0, looked))
  const rows = [...all.subarray(from, to)].map((row) => readRow(document, row, columns))
  return { columns, hidden, total: all.length, rows }
}

/** Returns the most frequent names, in the order in which they appear. */
function columnsOf(document: TreeDocument, rows: Uint32Array) {
  const counts = new Map<string, number>()
  for (const row of rows) {
    for (const child of firstChildren(document, row, 100)) {
      const name = nameOf(document, child)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const byCount = [...counts].sort(([, one], [, other]) => other - one)
  const frequent = new Set(byCount.slice(0, mostColumns).map(([name]) => name))
  const columns = [...counts.keys()].filter((name) => frequent.has(name))
  return { columns, hidden: counts.size - columns.length }
}

const nameOf = (document: TreeDocument, child: number) => stringStart(document, child - 1, 100)

function readRow(document: TreeDocument, node: number, columns: readonly string[]): TableRow {
  const cells = new Map<string, string>()
  const children = kindOfNode(document, node) === 'object' ? firstChildren(document, node, 100) : []
  for (const child of children) cells.set(nameOf(document, child), previewNode(document, child))
  return { node, cells: columns.map((name) => cells.get(name)) }
}
