import type { Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { mergeLists, mostReread, pageSize } from './merge-lists.ts'
import { type LoadedPages, usePages } from './use-pages.ts'

/** A list of tokens of which the first pages are loaded. */
export type LoadedList = LoadedPages<Token>

/** Loads a list of tokens page by page, and its beginning again when the chain changes. */
export function useListings(path: string): LoadedList {
  return usePages<Token>(path, {
    readFirst: (loaded, signal) => {
      const limit = Math.min(mostReread, Math.max(pageSize, loaded))
      return getJson(`${path}&limit=${limit}`, signal)
    },
    join: mergeLists,
    readNext: (after) => getJson(`${path}&limit=${pageSize}&after=${encodeURIComponent(after)}`),
    add: addTokens,
  })
}

function addTokens({ items }: Page<Token>, page: Page<Token>): Page<Token> {
  const known = new Set(items.map(({ tokenId }) => tokenId))
  const added = page.items.filter(({ tokenId }) => !known.has(tokenId))
  return { items: [...items, ...added], next: page.next }
}
