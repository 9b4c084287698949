import type { Income, Page } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'

/** The payments of an account, the newest first; with `isCut` there are older ones. */
export type AllIncome = { readonly items: readonly Income[]; readonly isCut: boolean }

/** The most pages of 100 payments that are read. */
export const mostPages = 50

/** Reads the payments that an account received. */
export async function readIncome(account: string, signal: AbortSignal): Promise<AllIncome> {
  const items: Income[] = []
  let next: string | null = ''
  for (let pages = 0; pages < mostPages && next !== null; pages += 1) {
    const after: string = next === '' ? '' : `&after=${encodeURIComponent(next)}`
    const page: Page<Income> = await getJson(
      `/api/accounts/${account}/income?limit=100${after}`,
      signal,
    )
    items.push(...page.items)
    next = page.next
  }
  return { items, isCut: next !== null }
}
