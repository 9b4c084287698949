import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkLengths, cutter } from './cutter.ts'
import { documentOf, notesOf } from './test/notes.ts'

const text = documentOf(notesOf(600_000))
const keyed = (name: string) => cutter(hash('sha256', name, 'buffer'))
const cut = keyed('one')

/** Returns the chunks of bytes as texts. */
const chunksOf = (bytes: Uint8Array, cutAt = cut) =>
  cutAt(bytes, true).map((end, at, ends) =>
    Buffer.from(bytes.subarray(ends[at - 1] ?? 0, end)).toString('latin1'),
  )

describe('a cutter', () => {
  test('cuts the same bytes alike under one key, however they arrive', () => {
    const whole = cut(text, true)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200_000 }), { maxLength: 8 }), (lengths) => {
        const ends: number[] = []
        let [start, read] = [0, 0]
        for (const length of [...lengths, text.length]) {
          read = Math.min(text.length, read + length)
          const some = cut(text.subarray(start, read), read === text.length)
          ends.push(...some.map((end) => start + end))
          start = ends.at(-1) ?? 0
        }
        expect([...new Set(ends)]).toEqual(whole)
      }),
      { numRuns: 20, seed: 5 },
    )
  })

  test('cuts at other places under another key', () => {
    const [one, other] = [cut(text, true), keyed('other')(text, true)]
    const shared = one.slice(0, -1).filter((end) => other.includes(end))
    // Both choose among one position in 128, so some places in a hundred are the same by chance.
    expect(shared.length).toBeLessThan(one.length / 10)
  })

  test('keeps its bounds for any bytes', () => {
    const some = fc.oneof(
      fc.constant(text),
      fc.uint8Array({ maxLength: 5000 }),
      fc.integer({ min: 0, max: 255 }).map((byte) => new Uint8Array(300_000).fill(byte)),
    )
    fc.assert(
      fc.property(some, (bytes) => {
        const lengths = chunksOf(bytes).map(({ length }) => length)
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(bytes.length)
        expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(chunkLengths.most)
        expect(Math.min(...lengths.slice(0, -1), chunkLengths.least)).toBe(chunkLengths.least)
      }),
      { numRuns: 30, seed: 6 },
    )
  })

  test('cuts notes to 8 KiB or less in the mean', () => {
    expect(text.length / chunksOf(text).length).toBeLessThan(8192)
  })

  test('changes few chunks for an edit anywhere', () => {
    const before = new Set(chunksOf(text))
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(400), fc.string(), (at, removed, added) => {
        const edited = Buffer.concat([
          text.subarray(0, at),
          Buffer.from(added),
          text.subarray(at + removed),
        ])
        const changed = chunksOf(edited).filter((chunk) => !before.has(chunk))
        expect(changed.length).toBeLessThanOrEqual(8)
      }),
      { numRuns: 40, seed: 7 },
    )
  })
})
