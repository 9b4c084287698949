import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../../../src/client/responses.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { keepList, storedList } from '../place.ts'
import { readNextPage } from './read-pages.ts'

/** A list of which the first pages are loaded. */
export type LoadedPages<T> = {
  readonly list?: Page<T> | undefined
  readonly problem?: Problem | undefined
  readonly loadMore: () => Promise<void>
}

export declare namespace usePages {
  type Calls<T> = {
    /** Reads the beginning of a list of which a number of items is loaded. */
    readonly readFirst: (loaded: number, signal: AbortSignal) => Promise<Page<T>>
    /** Returns a list after its beginning was read again. */
    readonly join: (before: Page<T> | undefined, beginning: Page<T>) => Page<T>
    readonly readNext: (after: string) => Promise<Page<T>>
    /** Returns a list with the page that follows it. */
    readonly add: (list: Page<T>, page: Page<T>) => Page<T>
  }
}

/**
 * Loads a list page by page, and its beginning again when the chain changes. An entry of the history
 * that is returned to shows at once what it had loaded.
 */
export function usePages<T>(path: string, calls: usePages.Calls<T>): LoadedPages<T> {
  const [list, setList] = useState(() => storedList<Page<T>>(path))
  const latest = useRef(list)
  const [failed, setFailed] = useState<Problem>()
  const show = (shown: Page<T>) => {
    latest.current = shown
    keepList(path, shown)
    setList(shown)
  }
  const { value, problem } = useResource(path, (signal) =>
    calls.readFirst(latest.current?.items.length ?? 0, signal),
  )
  useEffect(() => {
    if (value !== undefined) show(calls.join(latest.current, value))
  }, [value])
  const loadMore = async () => {
    setFailed(undefined)
    try {
      const page = await readNextPage(() => latest.current, calls.readNext)
      if (page !== undefined && latest.current) show(calls.add(latest.current, page))
    } catch (error) {
      setFailed(toProblem(error))
    }
  }
  return { list, problem: problem ?? failed, loadMore }
}
