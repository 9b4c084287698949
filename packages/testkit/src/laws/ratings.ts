import assert from 'node:assert/strict'
import {
  account,
  instant,
  type Page,
  type Rating,
  type Ratings,
  type Score,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryAccount } from '../arbitraries/values.ts'
import { forAll, type Law } from './law.ts'
import { refuses } from './refuses.ts'

let tokens = 0n

/** Returns a token that no other run has. */
const newToken = () => tokenId(++tokens)

const arbitraryRating = fc
  .record({
    account: arbitraryAccount,
    score: fc.constantFrom<Score[]>(1, 2, 3, 4, 5),
    comment: fc.constantFrom('', 'Useful.', 'Two\nlines, and an ü.'),
    // Few times, so that some are equal.
    ratedAt: fc.integer({ min: 1, max: 5 }).map((seconds) => instant(seconds * 1000)),
    act: fc.constantFrom('buy' as const, 'rent' as const, 'fork' as const),
  })
  .map(
    ({ act, ...rating }): Omit<Rating, 'tokenId'> => ({
      ...rating,
      message: `a text with ${rating.comment}`,
      signature: '0x1234',
      payment: { act, txHash: `0x${'ab'.repeat(32)}` },
    }),
  )

const arbitraryRatings = fc.uniqueArray(arbitraryRating, {
  maxLength: 6,
  selector: (it) => it.account,
})

const plain = {
  comment: '',
  ratedAt: instant(1000),
  message: 'a text',
  signature: '0x1234',
  payment: { act: 'buy', txHash: `0x${'ab'.repeat(32)}` },
} as const

const someone = account(`0x${'12'.repeat(20)}`)

async function addAll(ratings: Ratings, of: TokenId, some: readonly Omit<Rating, 'tokenId'>[]) {
  const added: Rating[] = []
  for (const rating of some) added.push(await ratings.add({ ...rating, tokenId: of }))
  return added
}

async function readAll(ratings: Ratings, of: TokenId, limit = 100): Promise<readonly Rating[]> {
  const found: Rating[] = []
  let page: Page<Rating> = await ratings.list(of, { limit })
  found.push(...page.items)
  while (page.next !== undefined) {
    assert.ok(page.items.length <= limit)
    page = await ratings.list(of, { limit, after: page.next })
    found.push(...page.items)
  }
  return found
}

const countScores = (ratings: readonly Pick<Rating, 'score'>[]) =>
  [1, 2, 3, 4, 5].map((score) => ratings.filter((it) => it.score === score).length)

const inOrder = (ratings: readonly Rating[]) =>
  ratings.toSorted(
    (one, other) =>
      other.ratedAt - one.ratedAt || (BigInt(one.account) < BigInt(other.account) ? -1 : 1),
  )

/** The laws of every `Ratings`. */
export const ratingsLaws: readonly Law<Ratings>[] = [
  forAll(
    'returns what was added, newest first, each once, page by page',
    [arbitraryRatings, fc.integer({ min: 1, max: 3 })],
    async (ratings, some, limit) => {
      const of = newToken()
      const added = await addAll(ratings, of, some)
      assert.deepEqual(
        added,
        some.map((rating) => ({ ...rating, tokenId: of })),
      )
      assert.deepEqual(await readAll(ratings, of, limit), inOrder(added))
    },
  ),
  forAll(
    'keeps one rating of an account for a token, the one that was signed last',
    [fc.array(arbitraryRating, { minLength: 1, maxLength: 6 })],
    async (ratings, some) => {
      const of = newToken()
      let last: Rating | undefined
      for (const rating of some) {
        const next = { ...rating, account: someone, tokenId: of }
        if (last === undefined || next.ratedAt > last.ratedAt) last = next
        assert.deepEqual(await ratings.add(next), last)
      }
      assert.deepEqual(await readAll(ratings, of), [last])
    },
  ),
  {
    name: 'counts the ratings of each token with each score',
    holds: async (ratings) => {
      assert.deepEqual(await ratings.counts([]), [])
      await fc.assert(
        fc.asyncProperty(arbitraryRatings, arbitraryRatings, async (some, others) => {
          const [first, unrated, second] = [newToken(), newToken(), newToken()]
          await addAll(ratings, first, some)
          await addAll(ratings, second, others)
          assert.deepEqual(
            await ratings.counts([second, unrated, first]),
            [others, [], some].map(countScores),
          )
        }),
      )
    },
  },
  forAll(
    'separates the ratings of different tokens',
    [arbitraryRating, arbitraryRating],
    async (ratings, one, other) => {
      const [first, second] = [newToken(), newToken()]
      const [added] = await addAll(ratings, first, [one])
      await addAll(ratings, second, [{ ...other, account: one.account }])
      assert.deepEqual(await readAll(ratings, first), [added])
    },
  ),
  {
    name: 'returns the best rated tokens first',
    holds: async (ratings) => {
      const [praised, liked, blamed, unrated] = [newToken(), newToken(), newToken(), newToken()]
      const scores: readonly (readonly [TokenId, readonly Score[]])[] = [
        [blamed, [1]],
        [praised, [5, 5, 4]],
        [liked, [5]],
      ]
      for (const [of, given] of scores) {
        for (const [at, score] of given.entries()) {
          const rater = account(`0x${`${at}`.padStart(40, '1')}`)
          await ratings.add({ ...plain, account: rater, score, tokenId: of })
        }
      }
      const worth = [
        { tokenId: praised, worth: 4000 },
        { tokenId: liked, worth: 3666 },
        { tokenId: blamed, worth: 2333 },
      ]
      const own = ({ tokenId: id }: { readonly tokenId: TokenId }) =>
        [praised, liked, blamed, unrated].includes(id)
      assert.deepEqual((await ratings.best(1_000_000)).filter(own), worth)
      assert.equal((await ratings.best(2)).length, 2)
    },
  },
  {
    name: 'refuses a cursor that it did not issue with `request/malformed`',
    holds: async (ratings) => {
      const of = newToken()
      for (const after of ['', 'x', '1', '-1.2', `${of}`]) {
        await refuses('request/malformed', ratings.list(of, { after, limit: 1 }))
      }
    },
  },
]
