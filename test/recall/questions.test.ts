import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerQuestion, instant, parsePointer, wordIndex } from '@heirloom/core'
import { expect, test } from 'vitest'
import { languages } from '../../packages/adapters/src/recall/languages.ts'

// Questions as people ask them, with other words than the answer has in part.

const tags = ['en', 'de', 'es', 'ja'] as const
type Tag = (typeof tags)[number]

/** A memory, and questions with the JSON Pointers of the items that answer them. */
type Fixture = {
  readonly memory: unknown
  readonly questions: readonly { readonly question: string; readonly at: readonly string[] }[]
}

const fixture = (tag: Tag): Fixture =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'questions', `${tag}.json`), 'utf8'))

const valueAt = (document: unknown, pointer: string): unknown =>
  parsePointer(pointer).reduce(
    (value, token) => (value as Readonly<Record<string, unknown>> | undefined)?.[token],
    document,
  )

const now = instant(Date.UTC(2026, 0, 1))

/** Returns of each question the share of its items that are among the first ten answers. */
function shares({ memory, questions }: Fixture): readonly number[] {
  const index = wordIndex(memory, languages)
  return questions.map(({ question, at }) => {
    const { answers } = answerQuestion(index, { question, most: 10, now })
    const found = new Set(answers.map(({ pointer }) => pointer))
    return at.filter((it) => found.has(it)).length / at.length
  })
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, it) => sum + it, 0) / values.length

test.each(tags)('asks 50 questions of the items of a memory: %s', (tag) => {
  const { memory, questions } = fixture(tag)
  const items = new Set(wordIndex(memory, languages).places.map(({ pointer }) => pointer))
  expect(new Set(questions.map(({ question }) => question)).size).toBe(50)
  for (const pointer of questions.flatMap(({ at }) => at)) {
    expect(valueAt(memory, pointer), pointer).toBeDefined()
    expect(items, pointer).toContain(pointer)
  }
})

test('knows the language of each memory', () => {
  const known = (tag: Tag) => wordIndex(fixture(tag).memory, languages).language
  for (const tag of ['en', 'de', 'es'] as const) expect(known(tag)).toBe(languages.get(tag))
})

test.each(tags)('finds four answers of five among the first ten: %s', (tag) => {
  expect(mean(shares(fixture(tag)))).toBeGreaterThanOrEqual(0.8)
})

test('finds 85 answers of 100 among the first ten over all languages', () => {
  expect(mean(tags.flatMap((tag) => shares(fixture(tag))))).toBeGreaterThanOrEqual(0.85)
})
