import type { Page } from '../../../src/client/responses.ts'

/** The number of items that are loaded at once. */
export const pageSize = 20

/** The most items that are loaded again when the chain changes. */
export const mostReread = 100

type Item = { readonly tokenId: string }

/**
 * Returns a list after its beginning was loaded again: the new beginning, and what was loaded after it
 * before, without items that are in the beginning now.
 */
export function mergeLists<T extends Item>(
  before: Page<T> | undefined,
  beginning: Page<T>,
): Page<T> {
  if (before === undefined || before.items.length <= mostReread) return beginning
  const known = new Set(beginning.items.map(({ tokenId }) => tokenId))
  const rest = before.items.slice(mostReread).filter(({ tokenId }) => !known.has(tokenId))
  return { items: [...beginning.items, ...rest], next: before.next }
}
