import { type CataloguedToken, searchRank, searchWords, type TokenId } from '@heirloom/core'
import type { Order } from './catalogue-pages.ts'

/** More than any token's number, so that a rank and a number make one number. */
const beyondAll = 10n ** 40n

/**
 * Returns what orders the tokens that a search finds, given the token whose card another shows;
 * `undefined` for a search without words. A name tells the order from others.
 */
export const rankedOrders =
  (sourceOf: (id: TokenId) => TokenId) =>
  (search: string | undefined, name: string): Order<CataloguedToken> | undefined => {
    const words = searchWords(search ?? '')
    if (words.length === 0) return undefined
    return {
      name,
      descending: true,
      placeOf: ({ tokenId, card }) => {
        const rank = card && searchRank(card, words)
        return [beyondAll * BigInt(9 - (rank ?? 9)) + sourceOf(tokenId), -tokenId]
      },
    }
  }
