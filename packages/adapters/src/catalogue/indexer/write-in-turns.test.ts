import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeInTurns } from './seal-lookup.ts'

test('writes each row once and in order, and lets the event loop turn between any nine', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 100 }), async (rows) => {
      let turn = 0
      const count = () => {
        turn++
        next = setImmediate(count)
      }
      let next = setImmediate(count)
      const written: { readonly row: number; readonly turn: number }[] = []
      await writeInTurns(rows, async (some) => {
        written.push(...some.map((row) => ({ row, turn })))
      })
      clearImmediate(next)
      expect(written.map(({ row }) => row)).toEqual(rows)
      for (const [index, { turn: later }] of written.entries()) {
        expect(later).toBeGreaterThan(written[index - 8]?.turn ?? -1)
      }
    }),
  )
})
