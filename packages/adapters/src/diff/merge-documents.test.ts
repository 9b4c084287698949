import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTime } from '../../../../test/harness/yardstick.ts'
import { editedTwice, json, parseExactly, printJson } from '../../../http/test/arbitrary-json.ts'
import { type Conflict, keepBoth } from './change.ts'
import { mergeTexts } from './merge-documents.ts'

const swapped = ({ ours, theirs, ...rest }: Conflict): Conflict => ({
  ...rest,
  ours: theirs,
  theirs: ours,
})

const leavesIn = (text: string): ReadonlySet<string> =>
  new Set(JSON.stringify(parseExactly(text)).match(/leaf\d+/g) ?? [])

describe('a merge', () => {
  test('takes what one side changed, with its exact text', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const [base, changed] = [printJson(one, 'long'), printJson(other)]
        for (const sides of [
          { ours: changed, theirs: base },
          { ours: base, theirs: changed },
        ]) {
          expect(mergeTexts({ base, ...sides })).toEqual({ text: changed, conflicts: [] })
        }
        const same = { ours: changed, theirs: changed }
        expect(mergeTexts({ base, ...same })).toEqual({ text: changed, conflicts: [] })
      }),
      { numRuns: 300 },
    )
  })

  test('is the same whichever side is whose, up to the sides of its conflicts', () => {
    fc.assert(
      fc.property(json, json, json, (...three) => {
        const [base, ours, theirs] = three.map((it) => printJson(it)) as [string, string, string]
        const merge = mergeTexts({ base, ours, theirs })
        const other = mergeTexts({ base, ours: theirs, theirs: ours })
        expect(other.conflicts).toEqual(merge.conflicts.map(swapped))
        expect(other.text).toBe(merge.text)
      }),
      { numRuns: 500 },
    )
  })

  test('loses no change and takes none back, unless it reports a conflict', () => {
    let merges = 0
    fc.assert(
      fc.property(editedTwice, ({ base, ours, theirs }) => {
        const texts = { base: printJson(base), ours: printJson(ours), theirs: printJson(theirs) }
        const { text } = mergeTexts(texts)
        if (text === undefined) return
        merges++
        const [was, our, their] = [
          leavesIn(texts.base),
          leavesIn(texts.ours),
          leavesIn(texts.theirs),
        ]
        const expected = [...new Set([...was, ...our, ...their])].filter((leaf) =>
          our.has(leaf) === was.has(leaf) ? their.has(leaf) : our.has(leaf),
        )
        expect([...leavesIn(text)].sort()).toEqual(expected.sort())
      }),
      { numRuns: 1000 },
    )
    expect(merges).toBeGreaterThan(200)
  })

  test('merges lists by ids, objects by names and strings by lines', () => {
    const base = '{"n":[{"id":1,"t":"a"},{"id":2,"t":"b"}],"s":"one\\ntwo\\nthree\\n","x":1.0}'
    const ours = '{"n":[{"id":2,"t":"b"}],"s":"ONE\\ntwo\\nthree\\n","x":1.0,"__proto__":{"y":1}}'
    const theirs = '{"n":[{"id":1,"t":"a"},{"id":2,"t":"B"},{"id":3}],"s":"one\\ntwo\\n3\\n"}'
    const text = '{"n":[{"id":2,"t":"B"},{"id":3}],"s":"ONE\\ntwo\\n3\\n","__proto__":{"y":1}}'
    expect(mergeTexts({ base, ours, theirs })).toEqual({ text, conflicts: [] })
  })

  test('reports what both sides changed, and guesses nothing', () => {
    const conflictOf = (base: string, ours: string, theirs: string) =>
      mergeTexts({ base, ours, theirs }).conflicts
    expect(conflictOf('[1]', '[1,2]', '[1,3]')).toEqual([
      { kind: 'items', path: '', at: 1, base: '[]', ours: '[2]', theirs: '[3]' },
    ])
    expect(conflictOf('{"a":1}', '{}', '{"a":2}')).toEqual([
      { kind: 'value', path: '/a', base: '1', ours: undefined, theirs: '2' },
    ])
    expect(conflictOf('{"s":"a\\nb"}', '{"s":"a\\nc"}', '{"s":"a\\nd"}')).toEqual([
      { kind: 'lines', path: '/s', at: 1, base: '"b"', ours: '"c"', theirs: '"d"' },
    ])
    expect(
      conflictOf('{"a":1,"b":2,"c":3}', '{"b":2,"a":1,"c":3}', '{"a":1,"c":3,"b":2}'),
    ).toHaveLength(1)
    expect(conflictOf('{"a":1,"a":2}', '{"a":1,"a":3}', '{"a":2}')).toHaveLength(1)
    // One side moved an item that the other side removed.
    const items = [1, 2, 3].map((id) => `{"id":${id}}`)
    const list = (...at: number[]) => `[${at.map((it) => items[it]).join()}]`
    expect(conflictOf(list(0, 1, 2), list(1, 2, 0), list(1, 2))).toHaveLength(1)
  })

  test('keeps both where both sides added to one place of a list, if that is expected', () => {
    const [base, ours, theirs] = ['{"n":[1],"x":0}', '{"n":[1, 2 ],"x":1}', '{"n":[1,3],"x":2}']
    const { conflicts } = mergeTexts({ base, ours, theirs }, keepBoth)
    expect(conflicts.map(({ path }) => path)).toEqual(['/x'])
    const resolve = (it: Conflict) => keepBoth(it) ?? { value: '5.0' }
    expect(mergeTexts({ base, ours, theirs }, resolve).text).toBe('{"n":[1,2,3],"x":5.0}')
  })

  test('can be resolved to either side', () => {
    fc.assert(
      fc.property(editedTwice, ({ base, ours, theirs }) => {
        const texts = { base: printJson(base), ours: printJson(ours), theirs: printJson(theirs) }
        for (const take of ['ours', 'theirs', 'base'] as const) {
          const { text, conflicts } = mergeTexts(texts, () => ({ take }))
          expect(conflicts).toEqual([])
          parseExactly(text ?? '')
        }
      }),
      { numRuns: 200 },
    )
  })
})

test('the work of a merge grows with the number of new members, and not with its square', async () => {
  const theirsOf = (count: number) =>
    `{"data":{${Array.from({ length: count }, (_, at) => `"${at}_":0`)}}}`
  const timeOf = (count: number) => {
    const theirs = theirsOf(count)
    return processorTime(() => {
      const { text } = mergeTexts({ base: '{"data":{}}', ours: '{"data":{"x":1}}', theirs })
      expect(text).toContain(`"${count - 1}_":0`)
    })
  }
  await timeOf(2000)
  expect(await timeOf(32_000)).toBeLessThan(64 * (await timeOf(2000)))
})
