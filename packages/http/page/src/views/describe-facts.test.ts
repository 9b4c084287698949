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
    ['Format', 'Letta agent file'],
    ['Contains', '1,204 messages, 1 memory, 7 tools'],
    ['Agent', 'ada'],
    ['Version', '3.1'],
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
  'the format %j, which this page does not know, is shown as it is written',
  (format) => {
    const excerpts = excerptsOf({ '/metadata/importedFrom/format': format })
    expect(describeFacts(excerpts)).toEqual([['Format', format]])
  },
)

test('a memory without such excerpts has no facts', () => {
  expect(describeFacts([])).toEqual([])
  expect(describeFacts(excerptsOf({ '/data/notes/0': 'Milk first' }))).toEqual([])
})
