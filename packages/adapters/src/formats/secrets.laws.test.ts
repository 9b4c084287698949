import { arbitraryJsonText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { findSecrets, importMemory, redactSecrets } from './index.ts'
import { arbitraryPlanted, plantings } from './test/planted.ts'
import {
  arbitrarySpelling,
  marked,
  type Piece,
  plain,
  quoted,
  type Spelling,
  textOf,
} from './test/spelled.ts'

/** What may stand before and after a secret; no word of a recovery phrase among it. */
const beside = fc.constantFrom('', 'Zzz ', '日本 ', '\n', '🧠 ', '\\ ', 'zzz: ', '\t', '"', '{ ')
const behind = fc.constantFrom('', ' zzz', '\n', ' é.', ' \\', '"', ' }', ', zzz')

/** A text with a secret in it. */
const text = fc
  .tuple(beside, arbitraryPlanted, behind)
  .map(([before, { pieces }, after]) => [plain(before), ...pieces, plain(after)])

type Place = (pieces: readonly Piece[], spell: Spelling) => readonly Piece[]

const around = (before: string, pieces: readonly Piece[], after: string) => [
  plain(before),
  ...pieces,
  plain(after),
]

/** Where a text can stand in JSON: as a value, a name, an item, or in JSON in a string. */
const places: readonly Place[] = [
  (it, spell) => around('{"note":', quoted(it, spell), '}'),
  (it, spell) => around('{', quoted(it, spell), ':[1]}'),
  (it, spell) => around('[0,', quoted(it, spell), ',{"a":null}]'),
  (it, spell) => around('{"m":', quoted(around('{"note":', quoted(it, spell), '}'), spell), '}'),
  (it, spell) => around('{"m":', quoted(around('{', quoted(it, spell), ':1}'), spell), '}'),
  (it, spell) => {
    const inner = around('{"in":', quoted(around('[', quoted(it, spell), ']'), spell), '}')
    return around('', quoted(inner, spell), '')
  },
]

const bundle = fc
  .tuple(arbitraryJsonText, text, fc.constantFrom(...places), arbitrarySpelling, fc.boolean())
  .map(([other, pieces, place, spelling, isInData]) => {
    const planted = place(pieces, spelling())
    return isInData
      ? around(`{"data":{"x":${other},"y":`, planted, '},"metadata":{"category":"research"}}')
      : around(`{"data":{"x":${other}},"metadata":{"category":"a","y":`, planted, '}}')
  })

const bytes = (text: string) => new TextEncoder().encode(text)
const decoded = (it: Uint8Array) => new TextDecoder().decode(it)
const file = (text: string) => [{ path: 'memory.json', bytes: bytes(text) }]

describe('redaction', () => {
  it('takes every secret out of a memory, however it is spelled, and changes nothing else', () => {
    fc.assert(
      fc.property(bundle, (pieces) => {
        const { document } = importMemory(file(textOf(pieces)), { secrets: 'redact' })
        const left = decoded(document)
        expect(left.replaceAll(/\(redacted-\d+\)/g, '#')).toBe(marked(pieces))
        expect(importMemory(file(left), { secrets: 'refuse' }).document).toEqual(document)
      }),
      { numRuns: 2000 },
    )
  })
})

test.each(Object.keys(plantings))('%s is found and told by its kind', (kind) => {
  const planted = plantings[kind] ?? arbitraryPlanted
  fc.assert(
    fc.property(planted, ({ core, pieces }) => {
      const found = findSecrets(`zzz ${textOf(pieces)} zzz`)
      expect(found.map((it) => it.kind.replace(/ of \d+ words/, ''))).toContain(kind)
      expect(JSON.stringify(found)).not.toContain(core)
    }),
  )
})

describe('what stands once is taken out wherever it stands', () => {
  it('though nothing tells what it is there', () => {
    const text = '{"password":"hunter22xyz","note":["I use hunter22xyz","hunter22\\u0078yz"]}'
    expect(redactSecrets(text).text).not.toMatch(/hunter22/)
  })
})
