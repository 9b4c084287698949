import { within } from '../workers/worker-calls.ts'
import { type Message, messagesOf, readMessage } from './conversation.ts'
import type { PathHandlers, Selected } from './path-worker.ts'
import { readText } from './preview-node.ts'
import { listReadings, type Reading, type ReadingKind, readingOf } from './readings.ts'
import { mostMatches, searchNodes } from './search-nodes.ts'
import { readTable, type Table } from './table.ts'
import {
  formatPath,
  jsonOfNode,
  kindOfNode,
  lengthOfNode,
  nodeAt,
  readTree,
  stepsTo,
  stringOfNode,
  type TreeDocument,
} from './tree-nodes.ts'
import { type TreeRows, treeRows } from './tree-rows.ts'
import { type RowView, viewRow } from './view-row.ts'

/** The longest text that is copied, in UTF-16 code units; a longer one is saved. */
export const longestCopy = 5_000_000

/** The longest text of a value that is shown at once. */
const longestShown = 20_000

/** The longest that a path is evaluated, in milliseconds. */
const pathLimit = 15_000

/** A value with its place, as the panel of the chosen row shows it. */
export type Details = {
  readonly node: number
  readonly path: string
  readonly isText: boolean
  readonly text: string
  /** The number of characters that are left out. */
  readonly left: number
  readonly canCopy: boolean
  readonly reading: ReadingKind | undefined
}

type Node = { readonly node: number }
type Stretch = { readonly from: number; readonly to: number }

type State = {
  document: TreeDocument
  rows: TreeRows
  isResult: boolean
  matches: readonly number[]
  /** The number of the newest search, which ends those before it. */
  search: number
}

/** Returns the functions that read a document; `open` comes first. */
export function openDocument() {
  let state: State | undefined
  const now = (): State => {
    if (state === undefined) throw new Error('No document is open.')
    return state
  }
  const open = async ({ blob }: { readonly blob: Blob }) => {
    state = startState(await blob.arrayBuffer())
    const { document, rows } = state
    return { count: rows.count(), readings: listReadings(document) as readonly Reading[] }
  }
  return { handlers: { open, ...rowHandlers(now), ...findHandlers(now), ...readHandlers(now) } }
}

function startState(bytes: ArrayBuffer): State {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const document = readTree(text)
  const rows = treeRows(document, [0], 2)
  return { document, rows, isResult: false, matches: [], search: 0 }
}

function rowHandlers(now: () => State) {
  const count = () => now().rows.count()
  return {
    rows: ({ from, to }: Stretch): readonly RowView[] => {
      const { document, rows, isResult } = now()
      const first = Math.max(0, from)
      return rows
        .slice(first, to)
        .map((it, nth) => viewRow(document, it, { row: first + nth, isResult }))
    },
    /** Expands or collapses a row, and returns the new number of rows. */
    setOpen: ({ row, isOpen }: { readonly row: number; readonly isOpen: boolean }) => {
      const [found] = now().rows.slice(row, row + 1)
      if (found !== undefined) now().rows.setOpen(found.route, isOpen)
      return count()
    },
    /** Expands all, and returns the new row of the node that is in a row. */
    expandAll: ({ row }: { readonly row: number }) => {
      const { rows } = now()
      const [found] = rows.slice(row, row + 1)
      const hasMore = rows.expandAll()
      return { hasMore, row: found && rows.reveal(found.node), count: count() }
    },
    collapseAll: () => {
      now().rows.collapseAll()
      return count()
    },
    /** Returns the row of what holds a row; its own when nothing does. */
    parentRow: ({ row }: { readonly row: number }) => {
      const [found] = now().rows.slice(row, row + 1)
      if (found === undefined || found.route.length < 2) return row
      return now().rows.rowOf(found.route.slice(0, -1))
    },
  }
}

function findHandlers(now: () => State) {
  const showRoots = (roots: readonly number[], isResult: boolean) => {
    const state = now()
    state.rows = treeRows(state.document, roots, isResult ? 0 : 2)
    state.isResult = isResult
    return state.rows.count()
  }
  return {
    /** Searches for a text, and returns the number of matches; `undefined` when a newer search began. */
    search: async ({ text }: { readonly text: string }) => {
      const state = now()
      state.search += 1
      const own = state.search
      for (const matches of searchNodes(state.document, text)) {
        // A newer search can only begin while this one waits.
        await new Promise((resolve) => setTimeout(resolve))
        if (state.search !== own) return undefined
        state.matches = matches
      }
      return { count: state.matches.length, hasMore: state.matches.length >= mostMatches }
    },
    /** Returns the row of a match, which becomes visible. */
    showMatch: ({ nth }: { readonly nth: number }) => {
      const { rows, matches } = now()
      const row = matches[nth] === undefined ? undefined : rows.reveal(matches[nth])
      return { row, count: rows.count() }
    },
    showNode: ({ node }: Node) => {
      if (now().isResult) showRoots([0], false)
      const { rows } = now()
      return { row: rows.reveal(node), count: rows.count() }
    },
    /** Shows only the values that a path selects. */
    select: async ({ path }: { readonly path: string }) => {
      const { document } = now()
      const { places, hasMore } = await selectPlaces(document.tape.text, path)
      const nodes = places.flatMap((steps) => nodeAt(document, steps) ?? [])
      return { found: nodes.length, hasMore, count: showRoots(nodes, true) }
    },
    showWhole: () => showRoots([0], false),
  }
}

const selectPlaces = (text: string, path: string): Promise<Selected> =>
  within<PathHandlers, Selected>({
    start: () => new Worker(new URL('./path-worker.ts', import.meta.url), { type: 'module' }),
    run: (calls) => calls.select({ text, path }),
    limit: pathLimit,
    tooLong: 'This path takes too long. Use one that looks at less, for example without “..”.',
  })

function readHandlers(now: () => State) {
  return {
    details: ({ node }: Node): Details => describeNode(now().document, node),
    /** Returns a value to copy: the text of a string, or JSON. */
    copy: ({ node }: Node) => {
      const { document } = now()
      const isText = kindOfNode(document, node) === 'string'
      return isText ? stringOfNode(document, node) : jsonOfNode(document, node)
    },
    messages: ({ node, from, to }: Node & Stretch) => {
      const { document } = now()
      const all = messagesOf(document, node)
      const messages = all.slice(from, to).map((it): Message => readMessage(document, it))
      return { total: all.length, messages }
    },
    table: ({ node, from, to }: Node & Stretch): Table => readTable(now().document, node, from, to),
    text: ({ node, most }: Node & { readonly most: number }) =>
      readText(now().document, node, most),
  }
}

function describeNode(document: TreeDocument, node: number): Details {
  const isText = kindOfNode(document, node) === 'string'
  const length = lengthOfNode(document, node)
  const { text, left } = isText
    ? readText(document, node, longestShown)
    : cutJson(document, node, length)
  return {
    node,
    path: formatPath(stepsTo(document, node)),
    isText,
    text,
    left,
    canCopy: length <= longestCopy,
    reading: readingOf(document, node),
  }
}

function cutJson({ tape: { text, starts } }: TreeDocument, node: number, length: number) {
  const start = starts[node] ?? 0
  const shown = text.slice(start, start + Math.min(length, longestShown))
  return { text: shown, left: length - shown.length }
}
