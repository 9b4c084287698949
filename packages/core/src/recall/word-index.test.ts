import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instant } from '../values/time.ts'
import { answerQuestion } from './answer-question.ts'
import { indexSteps, type WordIndex } from './word-index.ts'
import type { Languages } from './words.ts'

const joining = (stem: (word: string) => string): Languages =>
  new Map([['de', { stem, fillers: new Set(['the']), joinsWords: true }]])
const languages = joining((it) => it.replace(/s$/, ''))
const enough = { items: 1_000, stems: 1_000, postings: 1_000 }

function build(texts: readonly string[], options: Partial<Parameters<typeof indexSteps>[2]> = {}) {
  const document = { data: { notes: texts.map((text, at) => ({ text, tag: `t${at % 3}` })) } }
  const steps = indexSteps(document, languages, { bounds: enough, ...options })
  let count = 0
  for (;;) {
    const { done, value: index } = steps.next()
    if (done === true) return { index, count }
    count += 1
  }
}

const word = fc.constantFrom('haus', 'haustier', 'tierhaus', 'garten', 'regen', 'regens', 'the')
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((it) => it.join(' '))
const texts = fc.array(text, { minLength: 1, maxLength: 12 })

describe('the index of the next version', () => {
  test('answers as one that was built without the index of the last', () => {
    fc.assert(
      fc.property(texts, texts, text, (before, after, question) => {
        const base = build(before).index as WordIndex
        const asked = { question, most: 20, now: instant(0) }
        const answers = [build(after), build(after, { base })].map(({ index }) =>
          answerQuestion(index as WordIndex, asked),
        )
        expect(answers[1]).toEqual(answers[0])
      }),
    )
  })

  test('takes the stems of what is unchanged from the last', () => {
    const stemmed: string[] = []
    const counting = joining((it) => {
      stemmed.push(it)
      return it
    })
    const all = ['haus am see', 'garten im regen', 'tier im haus']
    const document = (notes: readonly string[]) => ({ data: { notes } })
    const steps = (notes: readonly string[], base?: WordIndex) =>
      indexSteps(document(notes), counting, { bounds: enough, base })
    const run = (it: ReturnType<typeof steps>) => {
      for (let step = it.next(); ; step = it.next()) if (step.done === true) return step.value
    }
    const base = run(steps(all))
    stemmed.length = 0
    run(steps([...all.slice(1), 'zug im schnee', ...all.slice(0, 1)], base))
    expect(stemmed).toEqual(['zug', 'im', 'schnee', 'notes'])
  })
})

describe('an index', () => {
  test.each([
    ['items', ['a', 'b', 'c']],
    ['stems', ['a b c']],
    ['postings', ['a b', 'a c']],
  ])('beyond the bound of its %s is none', (name, of) => {
    expect(build(of).index).toBeDefined()
    const bounds = { ...enough, [name]: 2 }
    expect(build(of, { bounds }).index).toBeUndefined()
  })

  test('is built in steps of little text, whatever the memory is', () => {
    const bounds = { items: 1e6, stems: 1e6, postings: 1e6 }
    const long = 'garten '.repeat(100_000)
    for (const notes of [[long], Array.from({ length: 10_000 }, (_, at) => `haus ${at}`)]) {
      expect(build(notes, { bounds }).count).toBeGreaterThan(5)
    }
  })
})
