import { type CataloguedToken, searchRank, searchWords, type TokenId } from '@heirloom/core'
import type { Order } from './catalogue-pages.ts'

/** A number above every token id, so that a rank and a token id make one sort key. */
const rankFactor = 10n ** 40n

/**
 * Returns a function that creates the order of a search, or `undefined` for a search without words.
 * `sourceOf` returns the token whose card a licensed fork shows.
 */
export const searchOrders =
  (sourceOf: (id: TokenId) => TokenId) =>
  (search: string | undefined, name: string): Order<CataloguedToken> | undefined => {
    const words = searchWords(search ?? '')
    if (words.length === 0) return undefined
    return {
      name,
      descending: true,
      keyOf: ({ tokenId, card }) => {
        const rank = card && searchRank(card, words)
        return [rankFactor * BigInt(9 - (rank ?? 9)) + sourceOf(tokenId), -tokenId]
      },
    }
  }
