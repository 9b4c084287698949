import { formatNames, importMemory, type SourceFile } from '@heirloom/adapters/formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryFiles } from '../../../../adapters/src/formats/test/files.ts'
import { isCountKind } from '../browse/describe-facts.ts'

const decoder = new TextDecoder()

const kindsOf = (files: readonly SourceFile[]): readonly string[] =>
  importMemory(files, { secrets: 'keep' }).report.taken.map(({ what }) => what)

const freeKinds = (files: readonly SourceFile[]) => kindsOf(files).filter((it) => !isCountKind(it))

test.each(formatNames.filter((it) => it !== 'graphiti'))(
  'each kind that the importer of %s counts is known',
  (format) =>
    fc.assert(
      fc.property(arbitraryFiles[format], (files) => {
        expect(freeKinds(files)).toEqual([])
      }),
    ),
)

test('each kind in a graph of Graphiti is known, or has the name of a list in its file', () =>
  fc.assert(
    fc.property(arbitraryFiles.graphiti, (files) => {
      const { document } = importMemory(files, { secrets: 'keep' })
      const lists = Object.keys(JSON.parse(decoder.decode(document)).data)
      expect(lists).toEqual(expect.arrayContaining([...freeKinds(files)]))
    }),
  ))

test.each([
  [{ agents: [{ messages: [1], llm_config: {}, core_memory: [1] }], groups: [1], blocks: [1] }],
  [{ agents: [], files: [1], sources: [1], tools: [1], mcp_servers: [1], skills: [1], x: 1 }],
  [{ name: 'Ada', bio: 'x', lore: ['x'], messageExamples: [1], postExamples: ['x'] }],
  [{ name: 'Ada', bio: 'x', topics: ['x'], adjectives: ['x'], knowledge: ['x'] }],
  [[1]],
  [{ data: { a: 1 }, metadata: {} }],
  [3],
])('each kind that is counted in %j is known', (value) => {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const kinds = kindsOf([{ path: 'memory.json', bytes }])
  expect(kinds).not.toEqual([])
  expect(kinds.filter((it) => !isCountKind(it))).toEqual([])
})

test.each(['audited trades', 's', '', 'constructor', 'Messages'])('%j is no kind', (what) => {
  expect(isCountKind(what)).toBe(false)
})
