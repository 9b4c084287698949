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

/** Opens a document in a worker, so that reading it never holds up the page. */
export function useViewer(blob: Blob): {
  readonly opened?: OpenedDocument
  readonly problem?: Problem
} {
  const [state, setState] = useState<ReturnType<typeof useViewer>>({})
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
