import { ask, withQuery } from './ask.ts'
import type { Page, Token } from './shapes.ts'

/** How often to look, and how long to wait between, in milliseconds. */
const [looks, patience] = [40, 100]

/** Waits until the catalogue tells of a token that was just made, but not for ever: it lags a little. */
export async function catalogued(
  tokenId: string,
  query: { readonly parent: string } | { readonly contentHash: string },
): Promise<void> {
  const path = withQuery('/api/memory', { ...query, limit: 100 })
  for (let look = 0; look < looks; look += 1) {
    const page = await ask<Page<Token>>(path).catch(() => undefined)
    if (page?.items.some((it) => it.tokenId === tokenId)) return
    await new Promise((resolve) => setTimeout(resolve, patience))
  }
}
