import { expect, test } from 'vitest'
import { describeFound, type Found } from './find-bar.tsx'

const found: Found = { text: 'a', count: 10_000, hasMore: true }

test.each<[Partial<Found>, string]>([
  [{}, 'More than 10,000 values. Empty the field to see the whole.'],
  [{ count: 1, hasMore: false }, '1 value. Empty the field to see the whole.'],
  [{ nth: 0 }, '1 of more than 10,000 matches'],
  [{ nth: 0, count: 1, hasMore: false }, '1 of 1 match'],
  [{ count: 0, hasMore: false }, 'Nothing found.'],
  [{ nth: 1, count: 7, isRanked: true }, '2 of 7 with words of it, the best first.'],
  [
    { count: 0, hasMore: false, misspelt: [{ word: 'tae', stem: 'tae', nearest: 'tea' }] },
    'Nothing found. No item has “tae”; the nearest word is “tea”.',
  ],
])('describes %j as a sentence begins', (part, sentence) => {
  expect(describeFound({ ...found, ...part })).toBe(sentence)
})
