import type { Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { addTokens, pageSize, readBeginning } from './read-pages.ts'
import { type LoadedPages, usePages } from './use-pages.ts'

/** A list of tokens of which the first pages are loaded. */
export type LoadedList = LoadedPages<Token>

/** Loads a list of tokens page by page, and all that is loaded again when the chain changes. */
export function useListings(path: string): LoadedList {
  const read = (limit: number, after: string, signal?: AbortSignal) => {
    const end = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    return getJson<Page<Token>>(`${path}&limit=${limit}${end}`, signal)
  }
  return usePages<Token>(path, {
    readFirst: (loaded, signal) =>
      readBeginning(loaded, (limit, after) => read(limit, after, signal)),
    join: (_, beginning) => beginning,
    readNext: (after) => read(pageSize, after),
    add: addTokens,
  })
}
