import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitTitle } from './lineage-node.tsx'

/** Measures as if `W` was three times as wide as other letters. */
const measure = (text: string) =>
  [...text].reduce((sum, letter) => sum + (letter === 'W' ? 3 : 1), 0)

test('shows the end of a title, where those of a series differ', () => {
  const space = { width: 20, measure }
  expect(fitTitle('Dungeon master notes, part 26', space)).toBe('Dungeon ma…part 26')
  expect(fitTitle('Dungeon master', space)).toBe('Dungeon master')
})

test('fits the width of letters, not their number', () => {
  const arbitraryTitle = fc.string({ unit: fc.constantFrom('W', 'i', ' ', '👩‍🔬', 'س') })
  fc.assert(
    fc.property(arbitraryTitle, fc.integer({ min: 1, max: 60 }), (title, width) => {
      expect(measure(fitTitle(title, { width, measure }))).toBeLessThanOrEqual(width)
    }),
  )
  expect(fitTitle('W'.repeat(9), { width: 20, measure })).toBe('WWW…WWW')
})

test('breaks no letter that has several code points', () => {
  const title = '👩‍🔬'.repeat(20)
  const shown = fitTitle(title, { width: 20, measure })
  expect(shown.replace('…', '')).toMatch(/^(👩‍🔬)+$/u)
})
