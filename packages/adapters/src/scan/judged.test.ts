import { describe, expect, test } from 'vitest'
import { scanText } from './scan-text.ts'
import { isApart, type JudgedCase, judgedCases } from './test/judged/judged-cases.ts'

const isFlagged = ({ text }: JudgedCase): boolean => scanText(text).held.length > 0

// The floors are what was reached: see docs/scanning.md. The misses of the part that is kept apart
// are counted and never shown.
describe.each([
  ['was read', false, { count: 204, recall: 0.975, precision: 0.961 }],
  ['is kept apart', true, { count: 102, recall: 0.647, precision: 1 }],
] as const)('of the part of the third set that %s', (_, apart, floor) => {
  const cases = judgedCases(20_261_126).filter(({ form }) => isApart(form) === apart)
  const hostile = cases.filter((it) => it.hostile)

  test('half are hostile', () => {
    expect([hostile.length, cases.length]).toEqual([floor.count, 2 * floor.count])
  })

  test('as many are found, and as few wrongly flagged, as the guide says', () => {
    const found = hostile.filter(isFlagged).length
    const wrong = cases.filter((it) => !it.hostile && isFlagged(it)).length
    expect(found / hostile.length).toBeGreaterThanOrEqual(floor.recall)
    expect(found / (found + wrong)).toBeGreaterThanOrEqual(floor.precision)
  })
})
