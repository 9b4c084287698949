import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareCodePoints, nearestWord } from './nearest-word.ts'

const known = ['trading', 'trade', 'philosophy', 'garden'].map((word) => ({ word, cards: 1 }))

test('finds the word that was meant', () => {
  for (const typed of ['tradng', 'tradimg', 'rtading', 'traading', 'trdaing']) {
    expect([typed, nearestWord(typed, known)]).toEqual([typed, 'trading'])
  }
  expect(nearestWord('philsofphy', known)).toBe('philosophy')
  // A word that is still being typed is compared with beginnings of words.
  expect(nearestWord('gadr', known)).toBe('garden')
})

test('leaves alone what is similar to nothing', () => {
  for (const typed of ['zebra', 'tax', 'gxxden', 'hilosophy']) {
    expect([typed, nearestWord(typed, known)]).toEqual([typed, undefined])
  }
})

test('prefers the fewest typos, then the word of most cards, then the first by code points', () => {
  const words = [
    { word: 'stone', cards: 3 },
    { word: 'store', cards: 9 },
    { word: 'stole', cards: 9 },
  ]
  expect(nearestWord('stoxe', words)).toBe('stole')
  expect(nearestWord('stonne', words)).toBe('stone')
})

const letters = fc.constantFrom('a', 'b', 'é', '猫', '\u{1F600}')
const arbitraryWord = fc.array(letters, { minLength: 4, maxLength: 16 })

test('one wrong letter after the second is always found, in any script', () => {
  fc.assert(
    fc.property(
      arbitraryWord,
      fc.nat(),
      fc.constantFrom('drop', 'add', 'swap'),
      (word, at, kind) => {
        const index = 2 + (at % (word.length - 2))
        const [head, tail] = [word.slice(0, index), word.slice(index)]
        const [first = '', second = '', ...rest] = tail
        const typed = {
          drop: [...head, ...tail.slice(1)],
          add: [...head, 'x', ...tail],
          swap: [...head, second, first, ...rest],
        }[kind]
        fc.pre(typed.length > 3)
        expect(nearestWord(typed.join(''), [{ word: word.join(''), cards: 1 }])).toBe(word.join(''))
      },
    ),
  )
})

test('the order of code points is that of the bytes of UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other))
      expect(compareCodePoints(one, other) < 0).toBe(bytes < 0)
      expect(compareCodePoints(one, other) === 0).toBe(bytes === 0)
    }),
  )
})
