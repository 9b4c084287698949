import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathEnvironment } from '../../../../adapters/src/json-path/path-environment.ts'
import { previewNode, stringStart } from './preview-node.ts'
import {
  formatPath,
  isBranch,
  isMember,
  jsonOfNode,
  kindOfNode,
  nodeAt,
  readTree,
  searchNodes,
  stepsTo,
  stringOfNode,
  type TreeDocument,
} from './tree-nodes.ts'

const json = fc.json({ maxDepth: 4 })

/** Any code unit, half a pair too, and often what JSON escapes. */
const codeUnit = fc.oneof(
  fc.nat(0xffff).map((it) => String.fromCharCode(it)),
  fc.constantFrom('\\', '"', '\n', '\u{1F600}'),
)

test('the path of a value selects that value alone', () => {
  fc.assert(
    fc.property(json, fc.nat(), (text, chosen) => {
      const document = readTree(text)
      const values = [...document.tape.starts.keys()].filter((it) => !isMember(document, it + 1))
      const node = values[chosen % values.length] as number
      const steps = stepsTo(document, node)
      expect(nodeAt(document, steps)).toBe(node)
      const found = [...pathEnvironment.lazyQuery(formatPath(steps), JSON.parse(text))]
      expect(found.map(({ location }) => location)).toEqual([steps])
    }),
  )
})

test('paths are as people write them', () => {
  expect(formatPath(['data', 'notes', 0, 'text'])).toBe('$.data.notes[0].text')
  expect(formatPath(["it's", 'a"b', 'c\\d', '1st', 'größe'])).toBe(
    `$['it\\'s']['a"b']['c\\\\d']['1st'].größe`,
  )
})

test('a preview is one short line that shows what is hidden in it', () => {
  fc.assert(
    fc.property(json, (text) => {
      const shown = previewNode(readTree(text), 0)
      expect(shown.length).toBeLessThan(1_100)
      expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    }),
  )
  const preview = (text: string) => previewNode(readTree(text), 0)
  expect(preview('{"id":1,"text":"Prefer limit orders","tags":[1,2],"none":{}}')).toBe(
    '{ id: 1, text: “Prefer limit orders”, tags: […], none: {} }',
  )
  expect(preview('"a\\u202eb\\nc"')).toBe('“a\\u{202e}b⏎c”')
  expect(preview('[1,2,3,4,5,6,7]')).toBe('[ 1, 2, 3, 4, 5, 6, … ]')
  expect(preview('12345678901234567890.00')).toBe('12345678901234567890.00')
})

test('the beginning of a string is that of the string', () => {
  fc.assert(
    fc.property(fc.string({ unit: codeUnit }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      const start = stringStart(readTree(JSON.stringify(text)), 0, most)
      expect(text.startsWith(start)).toBe(true)
      expect(start.length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1)
    }),
  )
})

/** Returns the name of a value, and the value itself unless it holds others. */
function wordsOf(document: TreeDocument, node: number): readonly string[] {
  const name = isMember(document, node) ? [stringOfNode(document, node - 1)] : []
  if (isBranch(document, node)) return name
  const isString = kindOfNode(document, node) === 'string'
  return [...name, (isString ? stringOfNode : jsonOfNode)(document, node)]
}

test('a search finds what a look at every value finds', () => {
  const documents = fc.object({ maxDepth: 3, values: [fc.constantFrom('needle', 'Ñeedle', 7)] })
  fc.assert(
    fc.property(documents, fc.constantFrom('needle', 'NEE', 'ñ', '7', '\\'), (value, text) => {
      const document = readTree(JSON.stringify(value))
      const found = [...searchNodes(document, text)].at(-1) ?? []
      const holds = (it: string) => it.toLowerCase().includes(text.toLowerCase())
      const nodes = [...document.tape.starts.keys()].filter((it) => !isMember(document, it + 1))
      const expected = nodes.filter((it) => wordsOf(document, it).some(holds))
      expect([...found].toSorted((one, other) => one - other)).toEqual(expected)
    }),
  )
})
