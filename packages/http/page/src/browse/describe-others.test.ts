import { expect, test } from 'vitest'
import { describeOthers } from './browse-query.ts'

const of = { tokenId: '3', family: { tokenId: '3', listings: 4, versions: 2 } }
const fork = { tokenId: '8', family: { tokenId: '3', listings: 2, versions: 1 } }

test.each([
  [of, 'newest', '3 more offers of this memory, 2 versions'],
  [fork, 'best', '1 more offer of this memory'],
  [of, 'cheapest', '3 more offers of this memory, 2 versions; No. 3 has the lowest price'],
  [of, 'dearest', '3 more offers of this memory, 2 versions; No. 3 has the highest price'],
  [fork, 'cheapest-rent', '1 more offer of this memory; No. 8 has the lowest rent'],
  [{ tokenId: '5', family: { tokenId: '5', listings: 1, versions: 1 } }, 'cheapest', ''],
  [{ tokenId: '5' }, 'cheapest', ''],
] as const)('the others of %j in the order %s are %s', (token, sort, words) => {
  expect(describeOthers(token, sort)).toBe(words)
})
