import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { keepList, storedList } from '../route.ts'

/** A list of which the first pages are loaded. */
export type LoadedPages<T> = {
  readonly list?: Page<T> | undefined
  /** The list of the path before, until that of this path is loaded or fails. */
  readonly former?: Page<T> | undefined
  readonly problem?: Problem | undefined
  readonly loadMore: () => Promise<void>
}

type UsePagesCalls<T> = {
  /** Reads the beginning of a list of which a number of items is loaded. */
  readonly readFirst: (loaded: number, signal: AbortSignal) => Promise<Page<T>>
  /** Returns a list after its beginning was read again. */
  readonly join: (before: Page<T> | undefined, beginning: Page<T>) => Page<T>
  readonly readNext: (after: string) => Promise<Page<T>>
  /** Returns a list with the page that follows it. */
  readonly add: (list: Page<T>, page: Page<T>) => Page<T>
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
export function usePages<T>(path: string, calls: UsePagesCalls<T>): LoadedPages<T> {
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

/** The number of items that are loaded at once. */
export const pageSize = 20

/** The most items that the server returns at once. */
const mostAtOnce = 100

type Item = { readonly tokenId: string }

/**
 * Reads the beginning of a list, as far as `least` items, however many were added to it or removed.
 * What is read ends at one place, so nothing of the list is lost after it.
 */
export async function readBeginning<T extends Item>(
  least: number,
  read: (limit: number, after: string) => Promise<Page<T>>,
): Promise<Page<T>> {
  const readNext = ({ items, next }: Page<T>) => {
    const missing = Math.max(least, pageSize) - items.length
    return read(Math.min(mostAtOnce, missing), next ?? '')
  }
  let list = await readNext({ items: [], next: null })
  while (list.next !== null && list.items.length < least) {
    list = addTokens(list, await readNext(list))
  }
  return list
}

/** Returns a list with its next page; a token that moved while they were read is shown once. */
export function addTokens<T extends Item>({ items }: Page<T>, page: Page<T>): Page<T> {
  const known = new Set(items.map(({ tokenId }) => tokenId))
  const added = page.items.filter(({ tokenId }) => !known.has(tokenId))
  return { items: [...items, ...added], next: page.next }
}

/** Reads what follows a list; if the list was read anew meanwhile, what follows its new end. */
export async function readNextPage<T>(
  latest: () => Page<T> | undefined,
  read: (after: string) => Promise<Page<T>>,
): Promise<Page<T> | undefined> {
  let end = latest()?.next ?? null
  while (end !== null) {
    const page = await read(end)
    const now = latest()?.next ?? null
    if (now === end) return page
    end = now
  }
  return undefined
}

/** A list of tokens of which the first pages are loaded. */
export type LoadedList = LoadedPages<Token>

/** Loads a list of tokens page by page, and all that is loaded again when the chain changes. */
export function useListings(path: string): LoadedList {
  const read = (limit: number, after: string, signal?: AbortSignal) => {
    const end = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    return getJson<Page<Token>>(`${path}&limit=${limit}${end}`, { signal: signal ?? null })
  }
  return usePages<Token>(path, {
    readFirst: (loaded, signal) =>
      readBeginning(loaded, (limit, after) => read(limit, after, signal)),
    join: (_, beginning) => beginning,
    readNext: (after) => read(pageSize, after),
    add: addTokens,
  })
}
