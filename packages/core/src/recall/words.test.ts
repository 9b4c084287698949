import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

test.each([
  ['Two words, 3 of them in CAPITALS!', ['two', 'words', '3', 'of', 'them', 'in', 'capitals']],
  ["Ada’s o'clock; l'école d'été", ['ada', 's', 'o', 'clock', 'l', 'école', 'd', 'été']],
  ['ﬁne １２', ['fine', '12']],
  ['?! …', []],
])('the words of %s', (text, words) => {
  expect([...wordsOf(text)]).toEqual(words)
})
