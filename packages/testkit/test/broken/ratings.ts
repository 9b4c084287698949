import { isFailure, type Ratings, type ScoreCounts, type TokenId } from '@heirloom/core'
import { memoryRatings } from '../../src/fakes/ratings.ts'
import type { Broken } from './faulty-harness.ts'

/** Returns ratings that work as the fake does, but for `fault`. */
const faulty =
  (fault: (ratings: Ratings) => Partial<Ratings>): Broken<Ratings>['open'] =>
  async () => {
    const ratings = memoryRatings()
    return { ...ratings, ...fault(ratings) }
  }

/** Broken ratings for each law. */
export const brokenRatings: readonly Broken<Ratings>[] = [
  {
    law: 'returns what was added, newest first, each once, page by page',
    fault: 'ends after the first page',
    open: faulty((ratings) => ({
      list: async (...all) => ({ ...(await ratings.list(...all)), next: undefined }),
    })),
  },
  {
    law: 'keeps one rating of an account for a token, the one that was signed last',
    fault: 'returns a rating that does not count',
    open: faulty((ratings) => ({
      add: async (rating) => {
        await ratings.add(rating)
        return rating
      },
    })),
  },
  {
    law: 'counts the ratings of each token with each score',
    fault: 'counts them from the best to the worst',
    open: faulty((ratings) => ({
      counts: async (tokenIds) =>
        (await ratings.counts(tokenIds)).map((it) => it.toReversed() as unknown as ScoreCounts),
    })),
  },
  {
    law: 'separates the ratings of different tokens',
    fault: 'lets a rating of one token replace that of another',
    open: faulty((ratings) => {
      const tokens = new Map<string, TokenId>()
      return {
        add: async (rating) => {
          tokens.set(rating.account, rating.tokenId)
          return ratings.add(rating)
        },
        list: async (of, page) => {
          const { items, next } = await ratings.list(of, page)
          return { items: items.filter((it) => tokens.get(it.account) === of), next }
        },
      }
    }),
  },
  {
    law: 'returns the best rated tokens first',
    fault: 'returns the worst first',
    open: faulty((ratings) => ({
      best: async (limit) => (await ratings.best(limit)).toReversed(),
    })),
  },
  {
    law: 'refuses a cursor that it did not issue with `request/malformed`',
    fault: 'begins anew at an unknown cursor',
    open: faulty((ratings) => ({
      list: (of, page) =>
        ratings.list(of, page).catch((error: unknown) => {
          if (isFailure(error, 'request/malformed')) return ratings.list(of, { limit: page.limit })
          throw error
        }),
    })),
  },
]
