import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../../../src/client/responses.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { keepList, storedList } from '../place.ts'
import { readNextPage } from './read-pages.ts'

/** A list of which the first pages are loaded. */
export type LoadedPages<T> = {
  readonly list?: Page<T> | undefined
  /** The list of the path before, until that of this path is loaded or fails. */
  readonly former?: Page<T> | undefined
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

type State<T> = Omit<LoadedPages<T>, 'loadMore'> & { readonly path: string }

/** Returns the state of a path that nothing was read from since the page showed it. */
function begin<T>(path: string, before?: State<T>): State<T> {
  const list = storedList<Page<T>>(path)
  return { path, list, former: list === undefined ? (before?.list ?? before?.former) : undefined }
}

/**
 * Loads a list page by page, and its beginning again when the chain changes. An entry of the history
 * that is returned to shows at once what it had loaded.
 */
export function usePages<T>(path: string, calls: usePages.Calls<T>): LoadedPages<T> {
  const [state, setState] = useState(() => begin<T>(path))
  const latest = useRef(state)
  latest.current = state.path === path ? state : begin(path, state)
  const listNow = () => (latest.current.path === path ? latest.current.list : undefined)
  const change = (changed: Partial<State<T>>) => {
    // What was read for another path comes too late.
    if (latest.current.path !== path) return
    latest.current = { ...latest.current, ...changed }
    setState(latest.current)
  }
  const show = (list: Page<T>) => {
    keepList(path, list)
    change({ list, former: undefined })
  }
  const { value, problem } = useResource(path, (signal) =>
    calls.readFirst(listNow()?.items.length ?? 0, signal),
  )
  useEffect(() => {
    if (value !== undefined) show(calls.join(listNow(), value))
  }, [value])
  const loadMore = async () => {
    change({ problem: undefined })
    try {
      const page = await readNextPage(listNow, calls.readNext)
      const list = listNow()
      if (page !== undefined && list !== undefined) show(calls.add(list, page))
    } catch (error) {
      change({ problem: toProblem(error) })
    }
  }
  const { list, former, problem: failed } = latest.current
  return { list, former, problem: problem ?? failed, loadMore }
}
