import { describe, expect, test } from 'vitest'
import { type IndexBounds, indexSteps } from './word-index.ts'

const enough = { items: 1e6, stems: 1e6, postings: 1e6 }

function build(notes: readonly string[], bounds: IndexBounds = enough) {
  const steps = indexSteps({ data: { notes } }, new Map(), bounds)
  for (let count = 0; ; count += 1) {
    const { done, value: index } = steps.next()
    if (done === true) return { index, count }
  }
}

describe('an index', () => {
  test.each([
    ['items', ['a', 'b', 'c']],
    ['stems', ['a b c']],
    ['postings', ['a b', 'a c']],
  ])('beyond the bound of its %s is none', (name, notes) => {
    expect(build(notes).index).toBeDefined()
    expect(build(notes, { ...enough, [name]: 2 }).index).toBeUndefined()
  })

  test('is built in steps of little text, whatever the memory is', () => {
    const long = 'garden '.repeat(100_000)
    for (const notes of [[long], Array.from({ length: 10_000 }, (_, at) => `house ${at}`)]) {
      expect(build(notes).count).toBeGreaterThan(5)
    }
  })
})
