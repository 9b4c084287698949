import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstRow, scrollFor, tallest } from './tree-view.tsx'

const frames = fc.record({
  count: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 5_000_000 })),
  height: fc.constantFrom(28, 33.5, 56),
  view: fc.integer({ min: 120, max: 900 }),
})

test('every row can be seen', () => {
  fc.assert(
    fc.property(frames, fc.nat(), fc.nat(), ({ count, height, view }, to, from) => {
      const whole = Math.min(tallest, count * height)
      const most = Math.max(0, whole - view)
      const scroll = Math.min(most, from)
      const row = to % count
      const frame = { count, height, view, visible: Math.ceil(view / height), scroll, part: 0 }
      const top = Math.min(most, scrollFor(frame, row, scroll) ?? scroll)
      const first = firstRow({ ...frame, scroll: top })
      expect(row).toBeGreaterThanOrEqual(first)
      expect(row).toBeLessThan(first + Math.ceil(view / height))
    }),
  )
})
