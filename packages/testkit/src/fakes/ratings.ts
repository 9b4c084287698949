import type { Rating, Ratings, ScoreCounts, TokenId } from '@heirloom/core'
import { type Order, pageOf } from './catalogue/pages.ts'

/** Creates ratings in memory. */
export function memoryRatings(): Ratings {
  const ratings = new Map<string, Rating>()
  const of = (tokenId: TokenId) => [...ratings.values()].filter((it) => it.tokenId === tokenId)
  return {
    add: async (rating) => {
      const key = `${rating.tokenId} ${rating.account.toLowerCase()}`
      const earlier = ratings.get(key)
      if (earlier !== undefined && earlier.ratedAt >= rating.ratedAt) return earlier
      ratings.set(key, rating)
      return rating
    },
    list: async (tokenId, page) => pageOf(of(tokenId), page, orderOf(tokenId)),
    counts: async (tokenIds) => tokenIds.map((tokenId) => countScores(of(tokenId))),
    best: async (limit) =>
      [...new Set([...ratings.values()].map(({ tokenId }) => tokenId))]
        .map((tokenId) => ({ tokenId, worth: worthOf(of(tokenId)) }))
        .toSorted((one, other) => other.worth - one.worth)
        .slice(0, limit),
  }
}

function worthOf(ratings: readonly Rating[]): number {
  const sum = ratings.reduce((total, { score }) => total + score, 6)
  return Math.floor((sum * 1000) / (ratings.length + 2))
}

const countScores = (ratings: readonly Rating[]) =>
  [1, 2, 3, 4, 5].map(
    (score) => ratings.filter((it) => it.score === score).length,
  ) as unknown as ScoreCounts

const orderOf = (tokenId: TokenId): Order<Rating> => ({
  name: `ratings-${tokenId}`,
  keyOf: ({ ratedAt, account }) => [BigInt(ratedAt), BigInt(account)],
  descending: true,
})
