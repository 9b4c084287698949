import type { Earning, Page } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'

/** The payments of an account, the newest first; with `isCut` there are older ones. */
export type AllEarnings = { readonly items: readonly Earning[]; readonly isCut: boolean }

/** The most pages of 100 payments that are read. */
export const mostPages = 50

/** Reads the payments that an account received. */
export async function readEachEarning(account: string, signal: AbortSignal): Promise<AllEarnings> {
  const items: Earning[] = []
  let next: string | null = ''
  for (let pages = 0; pages < mostPages && next !== null; pages += 1) {
    const input = { address: account, limit: 100, after: next }
    const page: Page<Earning> = await readNow('eachEarning', input, signal)
    items.push(...page.items)
    next = page.next
  }
  return { items, isCut: next !== null }
}
