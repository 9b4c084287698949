import { expect, test } from 'vitest'
import { stemOf, wordsOf } from './search.ts'

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

test('the forms of a word share its stem, and short words keep their end', () => {
  for (const [forms, stem] of [
    ['calm calms calmed calming calmer', 'calm'],
    ['review reviews reviewer', 'review'],
    ['bake baking', 'bak'],
    ['paper', 'paper'],
    ['never', 'never'],
  ] as const) {
    expect(forms.split(' ').map(stemOf)).toEqual(forms.split(' ').map(() => stem))
  }
})
