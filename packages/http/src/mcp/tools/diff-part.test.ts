import { diffTexts } from '@heirloom/adapters/internal/diff/diff-documents'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { json, printJson } from '../../../test/arbitrary-json.ts'
import { diffPart, showChange } from './diff-tools.ts'

test('returns each change once, in parts that fit in a context', () => {
  fc.assert(
    fc.property(json, json, fc.nat({ max: 30_000 }), (one, other, length) => {
      const long = JSON.stringify('😀'.repeat(length))
      const both = [one, other].map((it) => `[${printJson(it)},${long},${printJson(it)}]`)
      const diff = diffTexts(both[0] ?? '', (both[1] ?? '').replaceAll('😀', '🙂\\n'))
      const paths: string[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const part: diffPart.Part = diffPart(diff, offset)
        const shown = part.changes.map(showChange)
        expect(JSON.stringify(shown).length).toBeLessThan(30_000)
        const texts = shown.flatMap((it) => Object.values(it))
        expect(texts.every((it) => it.isWellFormed())).toBe(true)
        for (const { path } of shown) paths.push(path)
        offset = part.next
      }
      expect(paths).toEqual(diff.changes.map(({ path }) => path.toWellFormed()))
    }),
    { numRuns: times(13, 50) },
  )
})
