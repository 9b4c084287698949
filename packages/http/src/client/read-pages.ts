import type { Page } from './responses.ts'
import { badResponse } from './transport/decode-response.ts'

/** The most requests for one list. */
const mostRequests = 1000

/**
 * Reads the items of all pages of a list, or the first `most` of them.
 *
 * @throws `client/bad-answer` for pages without an end
 */
export async function readPages<Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
): Promise<Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let after: string | undefined
  do {
    const page = await read(after)
    items.push(...page.items)
    after = page.next ?? undefined
    if (after === undefined) break
    if (seen.has(after) || seen.size === mostRequests) throw badResponse('its pages have no end')
    seen.add(after)
  } while (items.length < most)
  return items.slice(0, most)
}
