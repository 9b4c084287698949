import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factPointersIn, readFacts } from './memory-facts.ts'

const excerptsOf = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([pointer, value]) => ({ pointer, value: JSON.stringify(value) }))

const metadata = {
  category: 'support',
  agentId: 'ada',
  version: '3.1',
  importedFrom: {
    format: 'letta-af',
    file: 'private-name.af',
    counts: [
      { what: 'messages', count: 1204 },
      { what: 'memory blocks', count: 3 },
    ],
  },
}

const facts = {
  format: 'letta-af',
  counts: metadata.importedFrom.counts,
  agentId: 'ada',
  version: '3.1',
}

test('the facts of a memory are read from the excerpts of its labels', () => {
  const excerpts = excerptsOf({
    '/data/notes/0': 'Milk first',
    '/metadata/version': '3.1',
    '/metadata/agentId': 'ada',
    '/metadata/importedFrom/format': 'letta-af',
    '/metadata/importedFrom/counts': metadata.importedFrom.counts,
  })
  expect(readFacts(excerpts)).toEqual(facts)
})

test('metadata names the pointers of the facts that it has, and no others', () => {
  expect(factPointersIn(metadata)).toEqual([
    '/metadata/importedFrom/format',
    '/metadata/importedFrom/counts',
    '/metadata/agentId',
    '/metadata/version',
  ])
  expect(factPointersIn({ category: 'support', version: '2' })).toEqual(['/metadata/version'])
  for (const other of [undefined, null, 'text', [], { agentId: 7, importedFrom: 'x' }]) {
    expect(factPointersIn(other)).toEqual([])
  }
})

test.each([
  ['/metadata/agentId', ''],
  ['/metadata/agentId', '  '],
  ['/metadata/agentId', ' ada'],
  ['/metadata/agentId', 'ada  lovelace'],
  ['/metadata/agentId', 'ada\u00A0lovelace'],
  ['/metadata/agentId', '\u0301'],
  ['/metadata/agentId', 'ada\u0000'],
  ['/metadata/version', '\u001B[2J'],
  ['/metadata/version', '1\n2'],
  ['/metadata/version', 3],
  ['/metadata/version', 'x'.repeat(121)],
  ['/metadata/importedFrom/format', ['json']],
  ['/metadata/importedFrom/format', '2026\u202E'],
  ['/metadata/importedFrom/counts', [{ what: 'messages\u202E', count: 1 }]],
  ['/metadata/importedFrom/counts', { messages: 3 }],
  ['/metadata/importedFrom/counts', []],
  ['/metadata/importedFrom/counts', [{ what: 'messages', count: -1 }]],
  ['/metadata/importedFrom/counts', [{ what: 'messages', count: 1.5 }]],
  ['/metadata/importedFrom/counts', [{ what: '', count: 1 }]],
  ['/metadata/importedFrom/counts', [{ what: 'messages' }]],
  ['/metadata/importedFrom/counts', [null]],
  ['/metadata/importedFrom/counts', Array(33).fill({ what: 'a', count: 1 })],
])('%s is no fact when it is %j', (pointer, value) => {
  expect(readFacts(excerptsOf({ [pointer]: value }))).toEqual({})
})

test('any excerpts have facts or none', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('/metadata/importedFrom/counts', '/metadata/agentId'),
      fc.oneof(fc.json(), fc.string()),
      (pointer, value) => {
        const found = readFacts([{ pointer, value }])
        expect(Object.values(found).every((it) => it !== undefined)).toBe(true)
      },
    ),
  ))
