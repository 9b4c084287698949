import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idIndex } from './last-version.ts'

// Few different bytes, so that ids repeat, and begin alike.
const id = fc.array(fc.constantFrom(0, 1, 255), { minLength: 16, maxLength: 16 })
const lastByte = fc.nat(5).map((last) => [...new Array(15).fill(7), last])
const ids = fc
  .array(fc.oneof(id, lastByte), { maxLength: 40 })
  .map((all) => all.map((bytes) => ({ id: Uint8Array.from(bytes) })))

test('finds each entry by its id, the last of several with one, and no other', () => {
  fc.assert(
    fc.property(ids, ids, (entries, others) => {
      const indexOf = idIndex(entries)
      const textOf = (bytes: Uint8Array) => bytes.join()
      const expected = new Map(entries.map((entry, at) => [textOf(entry.id), at]))
      for (const it of [...entries, ...others]) {
        expect(indexOf(Uint8Array.from(it.id))).toBe(expected.get(textOf(it.id)))
      }
    }),
    { seed: 11 },
  )
})
