import { describe, expect, test } from 'vitest'
import { type IndexBounds, indexSteps, wordIndex } from './word-index.ts'
import { wordsOf } from './words.ts'

const enough = { items: 1e6, words: 1e6, postings: 1e6 }

function build(notes: readonly string[], bounds: IndexBounds = enough) {
  const steps = indexSteps({ data: { notes } }, new Map(), bounds)
  for (let count = 0; ; count += 1) {
    const { done, value: index } = steps.next()
    if (done === true) return { index, count }
  }
}

describe('an index', () => {
  test.each([
    ['items', ['a', 'b', 'c']],
    ['words', ['a b c']],
    ['postings', ['a b', 'a c']],
  ])('beyond the bound of its %s is none', (name, notes) => {
    expect(build(notes).index).toBeDefined()
    expect(build(notes, { ...enough, [name]: 2 }).index).toBeUndefined()
  })

  test('is in the language of texts from all over the memory', () => {
    const language = (fillers: string) => ({
      stem: (it: string) => it,
      fillers: new Set(fillers.split(' ')),
    })
    const [english, german] = [language('the of and'), language('der die das')]
    const turns = Array.from({ length: 20 }, (_, at) => ({
      speaker: 'Ada',
      text: `Gestern abend lief der Hund ${at} durch die Stadt, und das Tor war offen.`,
    }))
    const sessions = Array.from({ length: 60 }, (_, at) => [`session_${at}`, turns])
    const known = new Map([
      ['en', english],
      ['de', german],
    ])
    expect(wordIndex({ data: Object.fromEntries(sessions) }, known).language).toBe(german)
  })

  test('is built in steps of little text, whatever the memory is', () => {
    const long = 'garden '.repeat(100_000)
    for (const notes of [[long], Array.from({ length: 10_000 }, (_, at) => `house ${at}`)]) {
      expect(build(notes).count).toBeGreaterThan(5)
    }
  })
})

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
