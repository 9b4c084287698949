import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { json, parseExactly, printJson } from '../../../http/test/arbitrary-json.ts'
import { diffTexts } from './diff-documents.ts'

/** Applies a patch with a library that knows nothing of ours. */
function patched(text: string, patch: string): unknown {
  const document = { root: parseExactly(text) }
  const operations = parseExactly(patch) as Parameters<typeof applyPatch>[1]
  const below = (path: string) => `/root${path}`
  const moved = operations.map((it) => ({
    ...it,
    path: below(it.path),
    ...('from' in it && { from: below(it.from) }),
  }))
  expect(applyPatch(document, moved).filter((problem) => problem !== null)).toEqual([])
  return document.root
}

/** Applies a patch to a list of numbers; much faster for a long one than a library of JSON Patch. */
function itemsAfter(list: string, patch: string): readonly number[] {
  const items: number[] = JSON.parse(list)
  for (const { op, path, value } of JSON.parse(patch)) {
    const at = Number(path.slice(1))
    items.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]))
  }
  return items
}

describe('a diff', () => {
  test('is a patch that makes the newer document of the older, with exact numbers', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const [before, after] = [printJson(one, 'long'), printJson(other)]
        expect(patched(before, diffTexts(before, after).patch)).toEqual(parseExactly(after))
      }),
      { numRuns: times(125, 500) },
    )
  })

  test('is empty exactly for equal values, however they are written', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const [before, after] = [printJson(one), printJson(other)]
        expect(diffTexts(before, printJson(one, 'long')).changes).toEqual([])
        expect(diffTexts(before, after).changes.length === 0).toBe(before === after)
      }),
      { numRuns: times(125, 500) },
    )
  })

  test.each([
    ['64-bit integers', '9007199254740993', '9007199254740992'],
    ['spellings of a number', '1.0', '1'],
    ['lone surrogates', '"\\ud800"', '"\\ud801"'],
    ['orders of members', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['duplicate members', '{"a":1,"a":2}', '{"a":2}'],
    ['prototypes', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
  ])('tells two %s apart', (_, before, after) => {
    expect(diffTexts(before, after).changes).not.toEqual([])
    expect(diffTexts(before, before).isIdentical).toBe(true)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('matches items by their ids, and others by what they have in common', () => {
    const before = '[{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":3,"n":"c"},"x","y"]'
    const after = '[{"id":1,"n":"a"},{"id":3,"n":"C"},"w","x","y"]'
    expect(diffTexts(before, after).changes).toEqual([
      { kind: 'removed', path: '/1', pathInPatch: '/1', value: '{"id":2,"n":"b"}' },
      { kind: 'changed', path: '/1/n', before: '"c"', after: '"C"' },
      { kind: 'added', path: '/2', value: '"w"' },
    ])
  })

  test('of 10 MB with one note more is one operation', () => {
    const notes = Array.from({ length: 40_000 }, (_, at) => ({ text: `note ${at} `.repeat(20) }))
    const [before, after] = [notes, notes.toSpliced(7, 0, { text: 'new' })].map((data) =>
      JSON.stringify({ data }),
    ) as [string, string]
    expect(JSON.parse(diffTexts(before, after).patch)).toEqual([
      { op: 'add', path: '/data/7', value: { text: 'new' } },
    ])
  })

  test('does bounded work on lists that are made to be slow, and is right', () => {
    // Without a bound these two need a search of some billion steps.
    const list = (factor: number) =>
      `[${Array.from({ length: 30_000 }, (_, at) => ((at * at * factor) >> 3) % 2)},${factor}]`
    const [before, after] = [list(3), `[7,${list(5).slice(1)}`]
    const { patch } = diffTexts(before, after)
    expect(itemsAfter(before, patch)).toEqual(JSON.parse(after))
  })

  test('puts members in their order by moves', () => {
    const { patch } = diffTexts('{"a":1,"b":2,"c":3}', '{"a":1,"c":3,"b":2}')
    expect(JSON.parse(patch)).toEqual([
      { op: 'move', from: '/c', path: '/c' },
      { op: 'move', from: '/b', path: '/b' },
    ])
    expect(JSON.stringify(patched('{"a":1,"b":2,"c":3}', patch))).toMatch(/a.*c.*b/)
  })
})

test('changes below a long name are one change of the whole, so that their paths fill no memory', () => {
  const name = 'n'.repeat(100_000)
  const textOf = (value: number) =>
    `{"data":{"${name}":{${Array.from({ length: 500 }, (_, at) => `"${at}":${value}`)}}}}`
  const [before, after] = [textOf(0), textOf(1)]
  const { changes, patch } = diffTexts(before, after)
  expect(changes).toEqual([{ kind: 'changed', path: '', before, after }])
  expect(JSON.parse(patch)).toEqual([{ op: 'replace', path: '', value: JSON.parse(after) }])
})
