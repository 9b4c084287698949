import { useEffect, useState } from 'preact/hooks'
import type { Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { mergeLists, mostReread, pageSize } from './merge-lists.ts'
import { useStoredList } from './use-stored-list.ts'

/** A list of tokens of which the first pages are loaded. */
export type LoadedList = {
  readonly list?: Page<Token> | undefined
  readonly problem?: Problem | undefined
  readonly loadMore: () => Promise<void>
}

/**
 * Loads a list page by page, and its beginning again when the chain changes. An entry of the history
 * that is returned to shows at once what it had loaded.
 */
export function useListings(path: string): LoadedList {
  const { list, latest, show } = useStoredList<Page<Token>>(path)
  const [failed, setFailed] = useState<Problem>()
  const { value, problem } = useResource(path, async (signal) => {
    const loaded = latest.current?.items.length ?? 0
    const limit = Math.min(mostReread, Math.max(pageSize, loaded))
    return getJson<Page<Token>>(`${path}&limit=${limit}`, signal)
  })
  useEffect(() => {
    if (value !== undefined) show(mergeLists(latest.current, value))
  }, [value])
  const loadMore = async () => {
    const before = latest.current
    if (before?.next == null) return
    setFailed(undefined)
    try {
      const after = encodeURIComponent(before.next)
      const page = await getJson<Page<Token>>(`${path}&limit=${pageSize}&after=${after}`)
      const items = latest.current?.items ?? []
      const known = new Set(items.map(({ tokenId }) => tokenId))
      const added = page.items.filter(({ tokenId }) => !known.has(tokenId))
      show({ items: [...items, ...added], next: page.next })
    } catch (error) {
      setFailed(toProblem(error))
    }
  }
  return { list, problem: problem ?? failed, loadMore }
}
