import type { Earnings, Page, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { ask } from './request.ts'

/** How often to look, and how long to wait between, in milliseconds. */
const [looks, patience] = [40, 100]

/** Waits until the catalogue tells what is so on the chain, but not for ever: it lags a little. */
async function told(isTold: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    if (await isTold().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, patience))
  }
}

/** Waits until the catalogue tells of a token that was just made. */
export function catalogued(
  tokenId: string,
  query: { readonly parent: string } | { readonly contentHash: string },
): Promise<void> {
  const path = withQuery('/api/memory', { ...query, limit: 100 })
  return told(async () => {
    const { items } = await ask<Page<Token>>(path)
    return items.some((it) => it.tokenId === tokenId)
  })
}

/** Waits until the catalogue tells that an account was paid what waited for it, of which no event tells. */
export function paidOut(account: string, credit: string): Promise<void> {
  return told(async () => {
    const earnings = await ask<Earnings>(`/api/accounts/${account}/earnings`)
    return earnings.credit !== credit
  })
}
