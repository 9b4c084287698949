import { expect, test } from 'vitest'
import { wordsOf } from './search.ts'

test('words are runs of letters and digits in lower case without accents', () => {
  expect(wordsOf('  Élan vital, 2nd-Edition ﬁle!')).toEqual([
    'elan',
    'vital',
    '2nd',
    'edition',
    'file',
  ])
  expect(wordsOf('"a* OR b" -- %_')).toEqual(['a', 'or', 'b'])
  expect(wordsOf('記憶 ΣΟΦΟΣ')).toEqual(['記憶', 'σοφος'])
  expect(wordsOf(' \u0000 \ud800 …')).toEqual([])
})
