import { isConversation } from './conversation.ts'
import { previewNode, stringStart } from './preview-node.ts'
import { childrenOfNode, firstChildren, kindOfNode, type TreeDocument } from './tree-nodes.ts'

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
export function isTable(document: TreeDocument, node: number): boolean {
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
