import { isFailure, card as readCard } from '@heirloom/core'
import { arbitraryCard, arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildCard,
  type Draft,
  emptyDraft,
  listExcerpts,
  validateDraft,
  validateParent,
} from './draft.ts'

const draftWith = (texts: Partial<Draft>): Draft => ({
  ...emptyDraft,
  category: 'research',
  isPublic: true,
  title: 'A title',
  ...texts,
})

test.each<[Partial<Draft>, string]>([
  [{ title: ' ' }, 'Enter a title.'],
  [{ title: 'two  spaces' }, 'The title has more than one space in a row.'],
  [{ title: 'wide\u3000space' }, 'The title contains U+3000, which looks like a plain space.'],
  [{ category: 'x'.repeat(33) }, 'The category must be one line of 1 to 32 characters.'],
  [{ tags: `a, ${'x'.repeat(33)}` }, 'A tag must be one line of 1 to 32 characters.'],
  [
    { tags: Array.from({ length: 13 }, (_, at) => `t${at}`).join() },
    'The list of tags can have at most 12.',
  ],
  [{ description: 'a\n\n\n\nb' }, 'The description has more than one empty line in a row.'],
  [{ description: `${'a\n'.repeat(102)}a` }, 'The description has more than 100 line breaks.'],
  [{ preview: `a${' '.repeat(41)}b` }, 'The sample has more than 40 spaces in a row.'],
  [
    { preview: 'safe\u202egpj.exe' },
    'The sample contains U+202E, which can hide or disguise text.',
  ],
  [{ excerpts: '/data/a\n data.b' }, '“data.b” is no JSON pointer, such as /data/notes/0.'],
  [{ excerpts: '/data/~2' }, '“/data/~2” is no JSON pointer, such as /data/notes/0.'],
  [
    { excerpts: Array.from({ length: 17 }, (_, at) => `/data/${at}`).join('\n') },
    'At most 16 values can be shown with a proof; these are 17.',
  ],
])('refuses %j before the upload', (texts, sentence) => {
  expect(validateDraft(draftWith(texts), false)).toEqual([sentence])
})

test('finds nothing wrong with a draft without a public description', () => {
  expect(validateDraft(draftWith({ isPublic: false, title: 'two  spaces' }), false)).toEqual([])
})

test('a parent is the number of a token, or none', () => {
  expect(['', '1', '7', '9'.repeat(78)].map(validateParent)).toEqual(['', '', '', ''])
  for (const typed of ['abc', '0', '-1', '1.5', '0x1', '7 8', '9'.repeat(79)]) {
    expect(validateParent(typed)).toBe(
      `“${typed}” is not the number of a token. Enter one, such as 7, or leave it empty.`,
    )
  }
})

const texts = fc.oneof(
  fc.string({ unit: arbitraryCodePoint }),
  fc.string(),
  fc.stringMatching(/^[ab\u00a0\u3000\u200b \n]{0,12}$/),
)

test('refuses a card exactly if the core refuses it', () => {
  const drafts = fc.record({ title: texts, description: texts, tags: texts, preview: texts })
  fc.assert(
    fc.property(drafts, (typed) => {
      const draft = draftWith(typed)
      expect(validateDraft(draft, false).length === 0).toBe(isAccepted(draft))
    }),
  )
  fc.assert(
    fc.property(arbitraryCard, ({ title, description = '', preview = '' }) => {
      const draft = draftWith({ title, description, preview })
      expect(validateDraft(draft, false).length === 0).toBe(isAccepted(draft))
    }),
  )
})

function isAccepted(draft: Draft): boolean {
  try {
    readCard(buildCard(draft))
    return true
  } catch (error) {
    if (isFailure(error, 'card/malformed')) return false
    throw error
  }
}

const labels = '{"category":"a","agentId":"ada","importedFrom":{"format":"json","file":"a.json"}}'
const facts = ['/metadata/importedFrom/format', '/metadata/agentId']

test('shows the facts of the labels after the chosen values, once each', () => {
  const chosen = draftWith({ excerpts: '/data/a\n/metadata/agentId' })
  expect(listExcerpts(chosen, labels)).toEqual(['/data/a', '/metadata/agentId', facts[0]])
  expect(listExcerpts(draftWith({}), labels)).toEqual(facts)
  expect(listExcerpts(draftWith({}), '{}')).toEqual([])
})

test('shows no facts that its maker does not publish, and no more than there is room for', () => {
  expect(listExcerpts(draftWith({ showsFacts: false }), labels)).toEqual([])
  expect(listExcerpts(draftWith({ isPublic: false }), labels)).toEqual([])
  const excerpts = Array.from({ length: 15 }, (_, at) => `/data/${at}`).join('\n')
  expect(listExcerpts(draftWith({ excerpts }), labels)).toEqual([...excerpts.split('\n'), facts[0]])
})
