import type { Page } from '../../../src/client/responses.ts'

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
