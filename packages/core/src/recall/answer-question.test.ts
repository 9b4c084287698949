import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leastTime, yardstick } from '../../../../test/harness/yardstick.ts'
import { instant } from '../values/time.ts'
import { answerQuestion, mergeAnswers } from './answer-question.ts'
import { rarity } from './rank-items.ts'
import { wordIndex } from './word-index.ts'
import type { Languages } from './words.ts'

const english: Languages = new Map([
  [
    'en',
    { stem: (it) => it.replace(/(ing|ed|s)$/, ''), fillers: new Set(['the', 'a', 'did', 'when']) },
  ],
])
const now = instant(1_790_000_000_000)
const indexOf = (data: unknown) => wordIndex({ data }, english)
const ask = (data: unknown, question: string, most = 10) =>
  answerQuestion(indexOf(data), { question, most, now })
const pointers = (data: unknown, question: string) =>
  ask(data, question).answers.map(({ pointer }) => pointer)

const word = fc.constantFrom('tide', 'ebb', 'calm', 'wind', 'rain', 'sun')
const sentence = fc.array(word, { minLength: 4, maxLength: 9 }).map((it) => `${it.join(' ')} today`)

test('an item with a word that no other has is the first answer, wherever it stands', () => {
  const notes = fc.array(sentence, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(notes, fc.nat(), sentence, (others, at, own) => {
      const place = at % (others.length + 1)
      const all = others.toSpliced(place, 0, `${own} lighthouse keeper`)
      const question = 'When did the lighthouses wait?'
      expect(pointers({ all: all.map((text) => ({ text })) }, question)[0]).toBe(
        `/data/all/${place}`,
      )
    }),
  )
})

test('the answers do not depend on the order of members, and are at most so many', () => {
  const notes = fc.uniqueArray(fc.tuple(fc.string({ minLength: 3 }), sentence), {
    selector: ([name]) => name,
    maxLength: 12,
  })
  fc.assert(
    fc.property(notes, word, fc.integer({ min: 1, max: 5 }), (entries, question, most) => {
      const scores = (it: typeof entries) =>
        ask({ x: it.map(([, text]) => ({ text })) }, question, most).answers.map(
          ({ phrase }) => phrase,
        )
      expect(scores(entries).length).toBeLessThanOrEqual(most)
      expect(scores(entries.toReversed()).toSorted()).toEqual(scores(entries).toSorted())
    }),
  )
})

describe('a question', () => {
  const notes = [
    { speaker: 'Ada', text: 'I painted a lake at sunrise.' },
    { speaker: 'Ben', text: 'Which colours did you use for it?' },
    { speaker: 'Ada', text: 'Paint it yourself, the sunrise!' },
    { speaker: 'Ben', text: 'My sister plays the violin.' },
  ]

  test('finds other forms of its words, and words that do not stand together', () => {
    expect(pointers({ notes }, 'paint sunrise').slice(0, 2).toSorted()).toEqual([
      '/data/notes/0',
      '/data/notes/2',
    ])
    expect(pointers({ notes }, 'violins')[0]).toBe('/data/notes/3')
  })

  test('gives the neighbours of an answer a share', () => {
    const [first, ...near] = pointers({ notes }, 'violin')
    expect([first, near[0]]).toEqual(['/data/notes/3', '/data/notes/2'])
    expect(ask({ notes }, 'violin').answers[0]?.near).toEqual([
      { pointer: '/data/notes/2', text: 'Paint it yourself, the sunrise!' },
    ])
  })

  test('counts the words before an item more than those after it', () => {
    const found = pointers({ notes }, 'colours').slice(0, 3)
    expect(found).toEqual(['/data/notes/1', '/data/notes/2', '/data/notes/0'])
  })

  test('names the nearest word of an item where none has a word of it', () => {
    const near = (question: string) => ask({ notes }, question).misspelt
    const nearest = { word: 'violine', stem: 'violine', nearest: 'violin' }
    expect(near('the sunrize and the violine')).toEqual([
      { word: 'sunrize', stem: 'sunrize', nearest: 'sunrise' },
      nearest,
    ])
    expect(ask({ notes }, 'violine')).toMatchObject({ answers: [], misspelt: [nearest] })
    expect(near('violins painted xylophone 2026')).toEqual([])
    // Their stems differ by one letter, the words by three.
    expect(ask({ notes: ['When did the sea calm a bit?'] }, 'called').misspelt).toEqual([])
  })

  test('of long words that look like all words of a memory costs hardly more than another', async () => {
    const letters = (number: number) =>
      number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))
    for (const length of [20, 58]) {
      const like = 'a'.repeat(length)
      const words = Array.from({ length: 17_000 }, (_, at) => `${like}${letters(at + 1000)}`)
      const index = indexOf([words.join(' ')])
      const question = ['zzzz', 'yyyy', 'xxxx'].map((end) => like + end).join(' ')
      const input = { question, most: 20, now }
      const time = await leastTime(() => answerQuestion(index, input))
      expect(time).toBeLessThan(100 * (await yardstick()))
    }
  })

  test('that stands in an item comes before its words elsewhere', () => {
    const texts = ['sunrise lake, lake sunrise', 'a lake', 'the lake at sunrise is quiet and long']
    const found = pointers({ texts: texts.map((text) => ({ text })) }, 'Lake at Sunrise')
    expect(found[0]).toBe('/data/texts/2')
  })

  test.each([
    ['of fillers alone', 'when did the'],
    ['without words', '?!'],
    ['of words that nothing has', 'xylophone'],
    ['of 4,000 characters', 'xylophone '.repeat(400)],
  ])('%s breaks nothing', (_, question) => {
    expect(ask({ notes }, question).answers.length).toBeLessThanOrEqual(4)
    expect(ask([], question).answers).toEqual([])
  })

  test('names that look like fillers are found when nothing else is asked', () => {
    expect(pointers({ people: [{ name: 'The When' }, { name: 'Ann' }] }, 'when')[0]).toBe(
      '/data/people/0',
    )
  })

  test('what says that it no longer holds comes last, and is marked', () => {
    const facts = [
      { text: 'the office is in Oslo', validUntil: '2026-01-01' },
      { text: 'the office is in Rome', replacedBy: '/data/facts/2' },
      { text: 'the office of all of us is in Bern now', validUntil: '2036-01-01T00:00:00Z' },
    ]
    const { answers } = ask({ facts }, 'the office is in')
    expect(answers.map(({ isOutdated }) => isOutdated)).toEqual([undefined, true, true])
    expect(answers[0]?.pointer).toBe('/data/facts/2')
  })

  test('shows of a long text what is around its words', () => {
    const text = `${'one two three '.repeat(60)}violin ${'four five '.repeat(60)}`
    const [answer] = ask({ notes: [{ text }] }, 'violin').answers
    expect(answer?.text).toContain('violin')
    expect(answer?.text.length).toBe(280)
    expect(text.slice(answer?.offset, (answer?.offset ?? 0) + 280)).toBe(answer?.text)
  })
})

describe('runs of scripts without spaces', () => {
  test('are found by one Chinese character that other characters stand beside', () => {
    const notes = ['バスに乗った。', '宿に傘を置いた。', '山に登った。']
    expect(pointers({ notes: notes.map((text) => ({ text })) }, '傘はどこ？')[0]).toBe(
      '/data/notes/1',
    )
  })

  const notes = ['東京で美術館に行きました。', '京都の寺は静かでした。', '大阪で友達に会いました。']

  test('are found by two characters', () => {
    expect(pointers({ notes: notes.map((text) => ({ text })) }, '美術館はどこ')[0]).toBe(
      '/data/notes/0',
    )
    expect(pointers({ notes: notes.map((text) => ({ text })) }, '京都の町')[0]).toBe(
      '/data/notes/1',
    )
  })
})

describe('a language that joins words', () => {
  const german: Languages = new Map([
    ['de', { stem: (it) => it, fillers: new Set(['der', 'unter']), joinsWords: true }],
  ])
  const askIn = (languages: Languages, texts: readonly string[], question: string) =>
    answerQuestion(wordIndex({ data: { notes: texts.map((text) => ({ text })) } }, languages), {
      question,
      most: 10,
      now,
    })
  const found = (texts: readonly string[], question: string, languages = german) =>
    askIn(languages, texts, question).answers.map(({ pointer }) => pointer)

  test('finds a word in those that it is joined with, and those that are joined in it', () => {
    const texts = ['der hund', 'der zahnarzttermin', 'der regen', 'der schnee']
    expect(found(texts, 'der zahnarzt')[0]).toBe('/data/notes/1')
    expect(found(texts, 'der termin')[0]).toBe('/data/notes/1')
    expect(found(texts, 'ein hundehalsband')).toEqual([])
    expect(found(['der hund', 'der regen'], 'der regenmantel')[0]).toBe('/data/notes/1')
    expect(found(texts, 'zahnarzt', english)).toEqual([])
  })

  test('prefers the word itself, and finds no word by a filler in it', () => {
    expect(found(['der gartenzaun', 'der garten'], 'garten')[0]).toBe('/data/notes/1')
    expect(found(['alle unter uns'], 'unterlagen')).toEqual([])
  })

  test('gives each word of an answer its part of the score', () => {
    const one = fc.constantFrom('haus', 'haustier', 'tierhaus', 'garten', 'gartenhaus', 'regen')
    const text = fc.array(one, { minLength: 1, maxLength: 5 }).map((it) => it.join(' '))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 9 }), text, (texts, question) => {
        const { answers, statistics } = askIn(german, texts, question)
        for (const { weights, score } of answers) {
          const parts = statistics.words.map(
            ({ items }, nth) => rarity(statistics.items, items) * (weights[nth] ?? 0),
          )
          expect(parts.reduce((sum, it) => sum + it, 0)).toBeCloseTo(score)
        }
      }),
    )
  })
})

describe('the answers of several memories', () => {
  const answered = (data: unknown, question: string) => {
    const { answers, statistics } = ask(data, question)
    return { matches: answers.map((item) => ({ item })), statistics }
  }

  test('are in one order, by how rare each word is in all of them', () => {
    const chatter = Array.from({ length: 40 }, (_, at) => ({
      text: `the wind of day ${at} and rain`,
    }))
    const question = 'wind or lighthouse'
    const small = answered({ notes: [{ text: 'a lighthouse of stone' }] }, question)
    const large = answered({ notes: chatter }, question)
    for (const memories of [
      [large, small],
      [small, large],
    ]) {
      expect(mergeAnswers(memories)[0]?.item.text).toBe('a lighthouse of stone')
    }
  })

  test('are those of the one memory where only one has any', () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 12 }), word, (texts, question) => {
        const one = answered({ notes: texts.map((text) => ({ text })) }, question)
        expect(mergeAnswers([one, answered({}, question)])).toEqual(one.matches)
      }),
    )
  })
})
