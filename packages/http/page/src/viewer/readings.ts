import { formatCsv } from '../parts/save-file.ts'
import { isConversation, messagesOf, textMember } from './conversation.ts'
import { previewNode, readText, showInLine, stringStart } from './preview-node.ts'
import {
  childrenOfNode,
  firstChildren,
  formatPath,
  isMember,
  jsonOfNode,
  kindOfNode,
  lengthOfNode,
  memberOfNode,
  nodeAt,
  stepsTo,
  stringOfNode,
  type TreeDocument,
} from './tree-nodes.ts'

/** A way to read a value other than as a tree. */
export type ReadingKind = 'conversation' | 'blocks' | 'table' | 'markdown'

/** A value that can be read in another way. */
export type Reading = Readonly<ReturnType<typeof describe>>

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

function describe(document: TreeDocument, node: number, kind: ReadingKind) {
  return {
    kind,
    node,
    path: showInLine(pathOf(document, node)),
    /** The title of it in the memory, or the last name on the way to it; empty without one. */
    title: showInLine(titleOf(document, node, kind)),
    /** The number of its messages, blocks, rows or characters. */
    size: sizeOf(document, node, kind),
  }
}

const pathOf = (document: TreeDocument, node: number) => formatPath(stepsTo(document, node))

function sizeOf(document: TreeDocument, node: number, kind: ReadingKind): number {
  if (kind === 'conversation') return messagesOf(document, node).length
  if (kind === 'table' || kind === 'blocks') return childrenOfNode(document, node).length
  return lengthOfNode(document, node) - 2
}

/** Returns the way in which a node can be read; `undefined` when it is only a part of the tree. */
export function readingOf(document: TreeDocument, node: number): ReadingKind | undefined {
  const kind = kindOfNode(document, node)
  if (kind === 'word') return undefined
  if (kind === 'string') return isMarkdown(document, node) ? 'markdown' : undefined
  if (isConversation(document, node)) return 'conversation'
  if (isBlocks(document, node)) return 'blocks'
  return isTable(document, node) ? 'table' : undefined
}

function titleOf(document: TreeDocument, node: number, kind: ReadingKind): string {
  const steps = stepsTo(document, node)
  if (kind !== 'conversation') {
    const name = steps.findLast((it) => typeof it === 'string') ?? ''
    const last = steps.at(-1)
    return typeof last === 'number' ? `${name} ${last + 1}` : `${name}`
  }
  const above = nodeAt(document, steps.slice(0, -1))
  const nameOf = (it?: number) => it !== undefined && textMember(document, it, ['title', 'name'])
  return nameOf(node) || nameOf(above) || ''
}

/** Returns the reading that a memory opens in: the first of the kind that is read best. */
export function bestReading(readings: readonly Reading[]): Reading | undefined {
  const isFolder = readings.filter(({ kind }) => kind === 'markdown').length > 1
  const kinds = ['conversation', isFolder ? 'markdown' : 'blocks', 'blocks', 'table', 'markdown']
  return kinds.flatMap((it) => readings.find(({ kind }) => kind === it) ?? [])[0]
}

/** Returns whether a node is the blocks of an agent's memory, as Letta has them: labels and their texts. */
function isBlocks(document: TreeDocument, node: number): boolean {
  if (kindOfNode(document, node) !== 'array') return false
  const first = firstChildren(document, node, 5)
  const hasText = (it: number, name: string) => textMember(document, it, [name]) !== undefined
  return first.length > 0 && first.every((it) => hasText(it, 'label') && hasText(it, 'value'))
}

/** The most blocks, and the most characters of each, that are shown. */
const shownOfBlocks = { blocks: 200, characters: 20_000 }

/** Reads the blocks of an agent's memory. */
export const readBlocks = (document: TreeDocument, node: number) =>
  [...childrenOfNode(document, node).subarray(0, shownOfBlocks.blocks)].map((it) => {
    const value = memberOfNode(document, it, 'value')
    const text =
      value === undefined
        ? { text: '', left: 0 }
        : readText(document, value, shownOfBlocks.characters)
    return { node: it, label: textMember(document, it, ['label']) ?? '', ...text }
  })

const marks = /^#{1,6} \S|^\s*[-*] \S|^\s*\d+\. \S|^```|^> \S|\*\*\S|\]\(|^\|.*\|$/m

/** Returns whether a string is Markdown: it has lines, and marks of it. */
function isMarkdown(document: TreeDocument, node: number): boolean {
  if (lengthOfNode(document, node) < 12 || isName(document, node)) return false
  const start = stringStart(document, node, 4_000)
  return start.includes('\n') && marks.test(start)
}

const isName = (document: TreeDocument, node: number) => isMember(document, node + 1)

/** A stretch of a list of objects, as a table: `hidden` names have no column, of `total` rows. */
export type Table = Readonly<ReturnType<typeof readTable>>

/** A row, with the previews of its values in the order of the columns. */
export type TableRow = Readonly<ReturnType<typeof readRow>>

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

/** The rows of a table to read, and their order: as in the memory when absent. */
export type TablePart = {
  readonly from: number
  readonly to: number
  /** A text that each row has; empty for all. */
  readonly find?: string | undefined
  readonly sort?: { readonly column: string; readonly descending: boolean } | undefined
}

/** Reads the rows of a table from one index to another. */
export function readTable(document: TreeDocument, node: number, part: TablePart) {
  const { from, to, find = '', sort } = part
  const all = childrenOfNode(document, node)
  const { columns, hidden } = columnsOf(document, all.subarray(0, looked))
  const needle = find.toLowerCase()
  const found =
    find === ''
      ? [...all]
      : [...all].filter((row) => jsonOfNode(document, row).toLowerCase().includes(needle))
  const sorted = sort === undefined ? found : sortRows(document, found, sort)
  const rows = sorted.slice(from, to).map((row) => readRow(document, row, columns))
  return { columns, hidden, total: found.length, rows }
}

/** Sorts rows by a column: numbers by their size, before texts; rows without a value come last. */
function sortRows(
  document: TreeDocument,
  rows: readonly number[],
  { column, descending }: NonNullable<TablePart['sort']>,
): readonly number[] {
  const keyed = rows.map((row) => {
    const member = kindOfNode(document, row) === 'object' && memberOfNode(document, row, column)
    const cell = typeof member === 'number' ? previewCell(document, member) : ''
    return { row, cell, number: cell === '' ? Number.NaN : Number(cell) }
  })
  const sign = descending ? -1 : 1
  return keyed
    .toSorted((one, other) => {
      if ((one.cell === '') !== (other.cell === '')) return one.cell === '' ? 1 : -1
      const isText = Number.isNaN(one.number) || Number.isNaN(other.number)
      if (!isText) return sign * (one.number - other.number)
      return sign * one.cell.localeCompare(other.cell)
    })
    .map(({ row }) => row)
}

/** The most rows of a file of comma-separated values. */
const mostSaved = 100_000

/** Returns the rows of a table with all their texts, as comma-separated values. */
export function tableCsv(document: TreeDocument, node: number): string {
  const all = childrenOfNode(document, node)
  const { columns } = columnsOf(document, all.subarray(0, looked))
  const textOf = (member: number) =>
    kindOfNode(document, member) === 'string'
      ? stringOfNode(document, member)
      : jsonOfNode(document, member)
  const rows = [...all.subarray(0, mostSaved)].map((row) =>
    columns.map((name) => {
      const member = kindOfNode(document, row) === 'object' && memberOfNode(document, row, name)
      return typeof member === 'number' ? textOf(member) : ''
    }),
  )
  return formatCsv([columns, ...rows])
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

/** Returns a value as a cell shows it: a text without quotes, and nothing for null. */
function previewCell(document: TreeDocument, node: number): string {
  const preview = previewNode(document, node)
  if (kindOfNode(document, node) === 'string') return preview.slice(1, -1)
  return preview === 'null' ? '' : preview
}

function readRow(document: TreeDocument, node: number, columns: readonly string[]) {
  const cells = new Map<string, string>()
  const children = kindOfNode(document, node) === 'object' ? firstChildren(document, node, 100) : []
  for (const child of children) cells.set(nameOf(document, child), previewCell(document, child))
  return { node, cells: columns.map((name) => cells.get(name)) }
}
