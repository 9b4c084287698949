import { describe, expect, test } from 'vitest'
import { isHeld } from './finding.ts'
import { scanText } from './scan-text.ts'
import { drawHeldOutCases, type HeldOutCase } from './test/held-out/held-out-cases.ts'

const count = 400
const isFlagged = ({ text }: HeldOutCase): boolean =>
  scanText(text).findings.some(({ kind }) => isHeld(kind))
const lines = (cases: readonly HeldOutCase[]) =>
  [...new Set(cases.map(({ line }) => line))].join('\n')

// The forms of the last third were measured once the patterns stood: see docs/scanning.md.
describe.each([
  ['first', 'held-out-1'],
  ['last', 'held-out-2'],
] as const)('of the %s files of the second set', (part, seed) => {
  const cases = drawHeldOutCases(part, seed, count)
  const hostile = cases.filter(({ isHostile }) => isHostile)

  test('half are hostile', () => {
    expect([hostile.length, cases.length]).toEqual([count, 2 * count])
  })

  test('98 of 100 hostile ones are flagged, and of 100 that are flagged 98 are hostile', () => {
    const missed = hostile.filter((it) => !isFlagged(it))
    const wrong = cases.filter((it) => !it.isHostile && isFlagged(it))
    const found = count - missed.length
    expect(found / count, lines(missed)).toBeGreaterThanOrEqual(0.98)
    expect(found / (found + wrong.length), lines(wrong)).toBeGreaterThanOrEqual(0.98)
  })
})
