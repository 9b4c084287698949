import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSections, sectionValue, writeSections } from './sections.ts'

const value = fc.uint8Array({ maxLength: 40 })
const sections = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 0xffff }), value), {
    selector: ([type]) => type,
    maxLength: 12,
  })
  .map((list) => list.toSorted(([one], [other]) => one - other))
  .map((list) => list.map(([type, value]) => ({ type, value })))

const unreadable = expect.objectContaining({ code: 'bundle/unreadable' })

describe('a list of sections', () => {
  test('decodes to what was encoded', () => {
    fc.assert(
      fc.property(sections, (list) => {
        const read = readSections(
          writeSections(list),
          list.map(({ type }) => type),
        )
        const values = [...read.values()].map(({ type, value }) => ({ type, value: [...value] }))
        expect(values).toEqual(list.map(({ type, value }) => ({ type, value: [...value] })))
      }),
    )
  })

  test('is refused when its types do not strictly ascend', () => {
    fc.assert(
      fc.property(sections, fc.nat(), (list, at) => {
        const some = list[at % Math.max(1, list.length)]
        const others = some === undefined ? [{ type: 2, value: new Uint8Array() }] : [some]
        const wrong = writeSections([...list, ...others, { type: 1, value: new Uint8Array() }])
        expect(() => readSections(wrong, known(list))).toThrow(unreadable)
      }),
    )
  })

  test('is refused when truncated, except at the end of a section', () => {
    fc.assert(
      fc.property(sections, (list) => {
        const written = writeSections(list)
        const ends = new Set([0, ...[...readSections(written, known(list)).values()].map(endOf)])
        for (let length = 0; length < written.length; length += 1) {
          const read = () => readSections(written.subarray(0, length), known(list))
          if (ends.has(length)) expect(read().size).toBeLessThan(list.length)
          else expect(read).toThrow(unreadable)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('is refused when the length of a value exceeds the list', () => {
    const written = writeSections([{ type: 1, value: new Uint8Array(8) }])
    for (const length of [9, 0x7fff_ffff, 0xffff_ffff]) {
      written.writeUInt32BE(length, 2)
      expect(() => readSections(written, [1])).toThrow(unreadable)
    }
  })

  test('is refused for an unknown critical section only', () => {
    const other = writeSections([{ type: 0x7fff, value: new Uint8Array(3) }])
    expect(readSections(other, []).size).toBe(1)
    const critical = writeSections([{ type: 0x8000, value: new Uint8Array(3) }])
    expect(() => readSections(critical, [])).toThrow(unreadable)
    expect(readSections(critical, [0x8000]).size).toBe(1)
  })

  test('returns only a value of the expected length', () => {
    const read = readSections(writeSections([{ type: 1, value: new Uint8Array(3) }]), [])
    expect(sectionValue(read, 1, 3)).toHaveLength(3)
    expect(() => sectionValue(read, 1, 4)).toThrow(unreadable)
    expect(() => sectionValue(read, 2, 3)).toThrow(unreadable)
  })
})

const known = (list: readonly { readonly type: number }[]) => list.map(({ type }) => type)
const endOf = ({ end }: { readonly end: number }) => end
