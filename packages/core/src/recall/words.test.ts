import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

test.each([
  ['Two words, 3 of them in CAPITALS!', ['two', 'words', '3', 'of', 'them', 'in', 'capitals']],
  ["Ada’s o'clock; l'école d'été", ['ada', 's', 'o', 'clock', 'l', 'école', 'd', 'été']],
  ['ﬁne １２', ['fine', '12']],
  ['傘を忘れた', ['傘', '忘', '傘を', 'を忘', '忘れ', 'れた']],
  ['の PC へ', ['の', 'pc', 'へ']],
  ['?! …', []],
])('the words of %s', (text, words) => {
  expect([...wordsOf(text)]).toEqual(words)
})
