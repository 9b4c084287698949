import { expect, test } from 'vitest'
import { idsText } from './ids-text.ts'

test('names all of a few ids, and of many the first ones', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => BigInt(at + 1))
  expect([idsText([]), idsText(ids(2))]).toEqual(['', '1, 2'])
  expect(idsText(ids(20))).toMatch(/, 20$/)
  expect(idsText(ids(1654))).toMatch(/^1, 2, .*, 20 and 1634 more$/)
})
