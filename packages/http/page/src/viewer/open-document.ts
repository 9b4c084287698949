import { inWorker } from '../worker-calls.ts'
import { type Message, messagesOf, readMessage } from './conversation.ts'
import type { PathHandlers } from './path-worker.ts'
import { type RowView, readText, viewRow } from './preview-node.ts'
import {
  listReadings,
  type Reading,
  readBlocks,
  readingOf,
  readTable,
  type Table,
  type TablePart,
  tableCsv,
} from './readings.ts'
import {
  formatPath,
  jsonOfNode,
  kindOfNode,
  lengthOfNode,
  mostMatches,
  nodeAt,
  readTree,
  searchNodes,
  stepsTo,
  stringOfNode,
  type TreeDocument,
} from './tree-nodes.ts'
import { type TreeRows, treeRows } from './tree-rows.ts'

/** The longest text that is copied, in UTF-16 code units; a longer one is saved. */
export const longestCopy = 5_000_000

/** The longest text of a value that is shown at once. */
const longestShown = 20_000

/** A value with its place, as the panel of the chosen row shows it. */
export type Details = Readonly<ReturnType<typeof describeNode>>

type Node = { readonly node: number }
type Stretch = { readonly from: number; readonly to: number }

type State = {
  document: TreeDocument
  /** The tree of the whole document. */
  readonly whole: TreeRows
  /** The values that a path selected, while they are shown in its place. */
  result: TreeRows | undefined
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
    const { document, whole } = state
    return { count: whole.count(), readings: listReadings(document) as readonly Reading[] }
  }
  return { handlers: { open, ...rowHandlers(now), ...findHandlers(now), ...readHandlers(now) } }
}

function startState(bytes: ArrayBuffer): State {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const document = readTree(text)
  return { document, whole: treeRows(document, [0], 2), result: undefined, matches: [], search: 0 }
}

const shownRows = ({ whole, result }: State): TreeRows => result ?? whole

function rowHandlers(now: () => State) {
  const shown = () => shownRows(now())
  const count = () => shown().count()
  return {
    rows: ({ from, to }: Stretch): readonly RowView[] => {
      const { document, result } = now()
      const isResult = result !== undefined
      const first = Math.max(0, from)
      return shown()
        .slice(first, to)
        .map((it, nth) => viewRow(document, it, { row: first + nth, isResult }))
    },
    /** Expands or collapses a row, and returns the new number of rows. */
    setOpen: ({ row, isOpen }: { readonly row: number; readonly isOpen: boolean }) => {
      const [found] = shown().slice(row, row + 1)
      if (found !== undefined) shown().setOpen(found.route, isOpen)
      return count()
    },
    /** Expands all, and returns the new row of the node that is in a row. */
    expandAll: ({ row }: { readonly row: number }) => {
      const rows = shown()
      const [found] = rows.slice(row, row + 1)
      const hasMore = rows.expandAll()
      return { hasMore, row: found && rows.reveal(found.node), count: count() }
    },
    collapseAll: () => {
      shown().collapseAll()
      return count()
    },
    /** Returns the row of what holds a row; its own when nothing does. */
    parentRow: ({ row }: { readonly row: number }) => {
      const [found] = shown().slice(row, row + 1)
      if (found === undefined || found.route.length < 2) return row
      return shown().rowOf(found.route.slice(0, -1))
    },
  }
}

function findHandlers(now: () => State) {
  const showInWhole = (node: number | undefined) => {
    const state = now()
    state.result = undefined
    const row = node === undefined ? undefined : state.whole.reveal(node)
    return { row, count: state.whole.count() }
  }
  return {
    /**
     * Searches for a text, or where it stands nowhere for what answers it as a question, and returns the
     * number of matches; `undefined` when a newer search began.
     */
    search: async ({ text }: { readonly text: string }) => {
      const state = now()
      state.search += 1
      const own = state.search
      const isOver = () => state.search !== own
      if (!(await findText(state, text, isOver))) return undefined
      if (state.matches.length > 0) return countMatches(state)
      const { askNodes } = await import('./ask-nodes.ts')
      if (isOver()) return undefined
      const { nodes, misspelt } = askNodes(state.document, text)
      state.matches = nodes
      return { ...countMatches(state), isRanked: nodes.length > 0, misspelt }
    },
    /** Returns the row of a match, which becomes visible. */
    showMatch: ({ nth }: { readonly nth: number }) => showInWhole(now().matches[nth]),
    showNode: ({ node }: Node) => showInWhole(node),
    /** Shows only the values that a path selects, if there are any. */
    select: async ({ path }: { readonly path: string }) => {
      const state = now()
      const { document } = state
      const { places, hasMore } = await inPaths((calls) =>
        calls.select({ text: document.tape.text, path }),
      )
      const nodes = places.flatMap((steps) => nodeAt(document, steps) ?? [])
      if (nodes.length > 0) state.result = treeRows(document, nodes, 0)
      return { found: nodes.length, hasMore, count: shownRows(state).count() }
    },
    /** Shows the whole again as it was; its first row when a result was shown, else that of before. */
    showWhole: () => {
      const state = now()
      const row = state.result === undefined ? {} : { row: 0 }
      state.result = undefined
      return { ...row, count: state.whole.count() }
    },
  }
}

/** Finds a text; returns whether no newer search began. */
async function findText(state: State, text: string, isOver: () => boolean): Promise<boolean> {
  for (const matches of searchNodes(state.document, text)) {
    // A newer search can only begin while this one waits.
    await new Promise((resolve) => setTimeout(resolve))
    if (isOver()) return false
    state.matches = matches
  }
  return true
}

const countMatches = ({ matches: { length } }: State) => ({
  count: length,
  hasMore: length >= mostMatches,
})

const inPaths = inWorker<PathHandlers>({
  start: () => new Worker(new URL('./path-worker.ts', import.meta.url), { type: 'module' }),
  limit: 15_000,
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
    messages: ({ node, from, to, find = '' }: Node & Stretch & { readonly find?: string }) => {
      const { document } = now()
      const needle = find.toLowerCase()
      const every = messagesOf(document, node)
      const all =
        find === ''
          ? every
          : every.filter((it) => readMessage(document, it).text.toLowerCase().includes(needle))
      const messages = all.slice(from, to).map((it): Message => readMessage(document, it))
      return { total: all.length, messages }
    },
    table: ({ node, ...part }: Node & TablePart): Table => readTable(now().document, node, part),
    csv: ({ node }: Node) => tableCsv(now().document, node),
    blocks: ({ node }: Node) => readBlocks(now().document, node),
    text: ({ node, most }: Node & { readonly most: number }) =>
      readText(now().document, node, most),
  }
}

function describeNode(document: TreeDocument, node: number) {
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
    /** The number of characters that are left out. */
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
