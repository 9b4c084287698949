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

/** Returns the distance of two words by its definition. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length
  const [a, b] = [one.slice(0, -1), other.slice(0, -1)]
  const isSame = one.at(-1) === other.at(-1)
  const isSwapped =
    one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1) && b !== '' && a !== ''
  return Math.min(
    distance(a, b) + (isSame ? 0 : 1),
    distance(a, other) + 1,
    distance(one, b) + 1,
    isSwapped ? distance(a.slice(0, -1), b.slice(0, -1)) + 1 : Infinity,
  )
}

test('a word is near exactly if a beginning of it is within the typos by their definition', () => {
  const few = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })
  fc.assert(
    fc.property(few(4, 5), few(1, 6), (typed, word) => {
      const beginnings = Array.from({ length: word.length + 1 }, (_, end) => word.slice(0, end))
      const isNear = beginnings.some((it) => distance(typed, it) <= 1)
      const isAlike = typed.slice(0, 2).includes(word.charAt(0))
      const found = nearestWord(typed, [{ word, cards: 1 }])
      expect([typed, found]).toEqual([typed, isNear && isAlike ? word : undefined])
    }),
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
