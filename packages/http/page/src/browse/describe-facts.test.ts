import { expect, test } from 'vitest'
import { describeFacts, describeKind } from './describe-facts.ts'

const excerptsOf = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([pointer, value]) => ({ pointer, value: JSON.stringify(value) }))

const counts = [
  { what: 'messages', count: 1204 },
  { what: 'memories', count: 1 },
  { what: 'tools', count: 7 },
]

const letta = excerptsOf({
  '/metadata/importedFrom/format': 'letta-af',
  '/metadata/importedFrom/counts': counts,
  '/metadata/agentId': 'ada',
  '/metadata/version': '3.1',
})

test('the facts of a memory are named for people', () => {
  expect(describeFacts(letta)).toEqual([
    { name: 'Format', known: 'Letta agent file' },
    { name: 'Contains', known: '1,204 messages, 1 memory, 7 tools' },
    { name: 'Agent', words: 'ada' },
    { name: 'Version', words: '3.1' },
  ])
})

test('a card names the format and the first two counts', () => {
  expect(describeKind(letta)).toBe('Letta agent file · 1,204 messages, 1 memory')
  expect(describeKind(excerptsOf({ '/metadata/agentId': 'ada' }))).toBe('')
  expect(describeKind(excerptsOf({ '/metadata/importedFrom/counts': counts.slice(2) }))).toBe(
    '7 tools',
  )
})

test.each(['constructor', 'a format of tomorrow'])(
  'the format %j, which no importer has, is shown as words of the maker, and on no card',
  (format) => {
    const excerpts = excerptsOf({ '/metadata/importedFrom/format': format })
    expect(describeFacts(excerpts)).toEqual([{ name: 'Format', words: format }])
    expect(describeKind(excerpts)).toBe('')
  },
)

test('counts of kinds that no importer counts are shown as words of the maker, and on no card', () => {
  const others = [
    { what: 'audited trades', count: 9007199254740991 },
    { what: 's', count: 1 },
  ]
  const words = '9,007,199,254,740,991 audited trades, 1 s'
  const excerpts = (it: typeof counts) => excerptsOf({ '/metadata/importedFrom/counts': it })
  expect(describeFacts(excerpts(others))).toEqual([{ name: 'Contains', words }])
  expect(describeKind(excerpts(others))).toBe('')
  const known = '1,204 messages, 1 memory, 7 tools'
  const mixed = excerpts([...others, ...counts])
  expect(describeFacts(mixed)).toEqual([{ name: 'Contains', known, words }])
  expect(describeKind(mixed)).toBe('1,204 messages, 1 memory')
})

test('a memory without such excerpts has no facts', () => {
  expect(describeFacts([])).toEqual([])
  expect(describeFacts(excerptsOf({ '/data/notes/0': 'Milk first' }))).toEqual([])
})
