import { answerQuestion, instant, wordIndex } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tinyMemories } from '../../../../test/recall/shared-questions.ts'
import { languages } from './languages.ts'

test.each([
  ['en', 'what when where who whose which why how'],
  ['de', 'was wann wo wer wem wen welche warum wie'],
  ['fr', 'que quand où qui quel quelle pourquoi comment combien'],
  ['es', 'qué cuándo dónde quién cuál cómo cuánto cuántos'],
  ['it', 'che quando dove chi quale quali perché come quanto'],
  ['pt', 'que quando onde quem qual como quanto quantos'],
  ['nl', 'wat wanneer waar wie welke waarom hoe hoeveel'],
  ['sv', 'vad när var vem vilken varför hur'],
  ['ru', 'что когда где кто какой какие почему как сколько'],
  ['ar', 'ماذا متى أين من كيف لماذا'],
  ['tr', 'ne nerede kim nasıl neden hangi kaç'],
])('the words that ask say nothing by themselves: %s', (tag, words) => {
  const fillers = languages.get(tag)?.fillers
  for (const word of words.split(' ')) expect(fillers, word).toContain(word)
})

const ask = (notes: readonly string[], question: string) =>
  answerQuestion(wordIndex({ data: { notes } }, languages), {
    question,
    most: 10,
    now: instant(0),
  })

test.each(tinyMemories.flatMap(([, notes, texts]) => texts.map((it) => [it, notes] as const)))(
  'a tiny memory is read in the language of its question: %s',
  (question, notes) => {
    const { answers, misspelt } = ask(notes, question)
    expect([answers[0]?.pointer, misspelt]).toEqual(['/data/notes/0', []])
  },
)

test('a word of a tiny memory is found, whatever language the question seems to have', () => {
  const fillers = [...languages.values()].flatMap((it) => [...it.fillers].slice(0, 30))
  const word = fc.constantFrom(
    'Minka',
    'wohnt',
    'habitent',
    'Москва',
    'gatos',
    'lives',
    'تعيش',
    'Äpfel',
  )
  const texts = fc.tuple(fc.constantFrom(...fillers), word, fc.constantFrom(...fillers))
  fc.assert(
    fc.property(texts, ([before, own, after]) => {
      const { answers } = ask([`${own} 12`, 'xyz 34'], `${before} ${own} ${after}`)
      expect(answers[0]?.pointer).toBe('/data/notes/0')
    }),
  )
})

test.each([
  ['en', 'lives live living life'],
  ['en', 'thoughts thought think'],
  ['en', 'leaves leave leaving'],
  ['ru', 'живёт живет'],
])('forms of one word have one stem: %s, %s', (tag, words) => {
  const { stem } = languages.get(tag) ?? { stem: String }
  expect(new Set(words.split(' ').map(stem)).size).toBe(1)
})

test('a number is its own stem in every language', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...languages.values()),
      fc.stringMatching(/^\d{1,20}$/),
      (it, number) => {
        expect(it.stem(number)).toBe(number)
      },
    ),
  )
})

test('a hash is a word of its own, whatever it ends with', () => {
  const hash = fc.stringMatching(/^[a-z]{15}\d[a-z\d]{0,20}$/)
  const ending = fc.constantFrom('s', 'ing', 'en', 'ler')
  fc.assert(
    fc.property(fc.constantFrom(...languages.values()), hash, ending, ({ fillers }, own, end) => {
      const text = [...[...fillers].slice(0, 40), own, `${own}${end}`].join(' ')
      const { stems } = wordIndex({ data: [text] }, languages)
      expect([stems.has(own), stems.has(`${own}${end}`)]).toEqual([true, true])
    }),
  )
})
