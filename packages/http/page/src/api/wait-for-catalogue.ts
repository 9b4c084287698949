import type { Page, Token } from '../../../src/client/responses.ts'
import type { CurrencyKind } from '../text/currency.ts'
import { addressOf } from './address-of.ts'
import { getJson, readNow } from './get-json.ts'

/** The number of attempts, and the pause between them in milliseconds. */
const [attempts, pause] = [40, 100]

/** Waits for a limited time until the catalogue, which lags behind the chain, shows something. */
async function waitUntil(isVisible: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isVisible().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Waits until the catalogue has a new token. */
export function waitForToken(
  tokenId: string,
  query: { readonly parent: string } | { readonly contentHash: string },
): Promise<void> {
  const path = addressOf('tokens', { ...query, limit: 100 })
  return waitUntil(async () => {
    const { items } = await getJson<Page<Token>>(path)
    return items.some((it) => it.tokenId === tokenId)
  })
}

type Withdrawal = { readonly currency: CurrencyKind; readonly amount: string }

/** Waits until the catalogue shows a withdrawal of an account, which has no event. */
export function waitForWithdrawal(
  account: string,
  { currency, amount }: Withdrawal,
): Promise<void> {
  return waitUntil(async () => {
    const earnings = await readNow('earnings', { address: account })
    const { credit } = currency === 'dollar' ? earnings.dollars : earnings
    return credit !== amount
  })
}
