import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../api/problem.ts'
import { type Calls, connect } from '../worker-calls.ts'
import type { Reading } from './readings.ts'
import type { ViewerHandlers } from './viewer-worker.ts'

/** The calls of the worker that holds the opened document. */
export type ViewerCalls = Calls<ViewerHandlers>

/** A document that is open in a worker. */
export type OpenedDocument = {
  readonly calls: ViewerCalls
  readonly count: number
  readonly readings: readonly Reading[]
}

/** The rows of the tree: their number, and a number that changes with any of them. */
export type TreeState = {
  readonly count: number
  readonly version: number
  /** The chosen row. */
  readonly row: number
}

/** Changes the rows of the tree. */
export type ChangeTree = (changed: {
  readonly count: number
  readonly row?: number | undefined
}) => void

/** Opens a document in a worker, so that reading it never holds up the page. */
export function useViewer(blob: Blob) {
  const [state, setState] = useState<{ opened?: OpenedDocument; problem?: Problem }>({})
  useEffect(() => {
    const worker = new Worker(new URL('./viewer-worker.ts', import.meta.url), { type: 'module' })
    const { calls, stop } = connect<ViewerHandlers>(worker)
    calls.open({ blob }).then(
      (opened) => setState({ opened: { calls, ...opened } }),
      (error: Error) => setState({ problem: unreadable(error) }),
    )
    return stop
  }, [blob])
  return state
}

const unreadable = (cause: Error) =>
  new Problem(
    `This memory cannot be shown: ${cause.message}`,
    'Save it, and open the file with another program.',
    { cause },
  )

/** A reading that is shown; one that was chosen in the tree has no size and no title. */
export type ShownReading = Omit<Reading, 'size' | 'title'> &
  Partial<Pick<Reading, 'size' | 'title'>>

const nouns = {
  conversation: ['Conversation', 'message', 'messages'],
  blocks: ['Memory blocks', 'block', 'blocks'],
  table: ['Table', 'row', 'rows'],
  markdown: ['Text', 'character', 'characters'],
} as const

/** Describes a reading in one line, in plain words: `Conversation, 240 messages`, `README.md`. */
export function describeReading({ kind, title = '', size }: ShownReading): string {
  const [noun, one, many] = nouns[kind]
  const name = title === '' ? noun : kind === 'table' ? `${noun} ${title}` : title
  if (size === undefined || (kind === 'markdown' && title !== '')) return name
  return `${name}, ${size.toLocaleString('en')} ${size === 1 ? one : many}`
}
