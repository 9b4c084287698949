import { expect, test } from 'vitest'
import { describeResults } from './docs.tsx'

test.each([
  [
    0,
    0,
    'Nothing matches “zzz”. A result has every word: try fewer words, or one such as “rent” or “restore”.',
  ],
  [1, 1, '1 route, 1 guide'],
  [0, 2, '0 routes, 2 guides'],
  [40, 20, '40 routes, 20 guides'],
])('describes %i routes and %i guides', (routes, guides, text) => {
  expect(describeResults({ routes, guides, search: ' zzz' })).toBe(text)
})
