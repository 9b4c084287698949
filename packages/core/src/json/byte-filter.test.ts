import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteFilter } from './byte-filter.ts'
import { encodeUtf8 } from './utf8.ts'

/** Counts how often bytes are read. */
function counted(bytes: Uint8Array) {
  let reads = 0
  const get = (target: Uint8Array, key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) reads++
    return Reflect.get(target, key)
  }
  return { bytes: new Proxy(bytes, { get }), reads: () => reads }
}

describe('byteFilter', () => {
  test('finds the first place of a text in either case', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'ü'), maxLength: 40 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(few, text, (string, searched) => {
        const at = string.toLowerCase().indexOf(searched)
        const bytes = encodeUtf8(string)
        const expected = at < 0 ? bytes.length : encodeUtf8(string.slice(0, at)).length
        expect(byteFilter(searched)(bytes, 0)).toBe(expected)
      }),
    )
  })

  test('stops at an escape that may be any character, and passes others', () => {
    const find = (string: string) => byteFilter('ab')(encodeUtf8(string), 0)
    expect(find('xa\\u0062')).toBe(2)
    expect(find('a\\nb\\\\ab')).toBe(6)
    expect(find('a\\nb')).toBe(4)
  })

  test('reads each byte a few times, also where a text nearly occurs everywhere', () => {
    const { bytes, reads } = counted(new Uint8Array(10_000).fill(0x61))
    expect(byteFilter(`${'a'.repeat(199)}b`)(bytes, 0)).toBe(10_000)
    expect(reads()).toBeLessThan(40_000)
  })
})
