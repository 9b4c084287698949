import {
  arbitraryJsonText,
  arbitraryMutatedJson,
  arbitraryObjectText,
  arbitraryStringText,
} from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFailure } from '../failure.ts'
import { isObject, maxJsonDepth, parseJson, readMembers } from './json.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

describe('readMembers', () => {
  test('preserves each member letter for letter', () => {
    const members = readMembers(encode(' {"n" : 18446744073709551615, "o":{ "a" : -0.10 }} \n'))
    const texts = [...members].map(([name, text]) => [name, decode(text)])
    expect(texts).toEqual([
      ['n', '18446744073709551615'],
      ['o', '{ "a" : -0.10 }'],
    ])
  })

  test('reads an empty object', () => {
    expect(readMembers(encode('{ }')).size).toBe(0)
  })

  test('reads names that an object literal cannot have', () => {
    const members = readMembers(encode('{"__proto__":{"a":1},"\\u0063onstructor":2}'))
    expect([...members.keys()]).toEqual(['__proto__', 'constructor'])
  })

  test('returns the exact text of any member', () =>
    fc.assert(
      fc.property(arbitraryStringText, arbitraryJsonText, (name, value) => {
        const members = readMembers(encode(`\t{ ${name} :\n${value} }\r\n`))
        expect([...members].map(([key, text]) => [key, decode(text)])).toEqual([
          [JSON.parse(name), value],
        ])
      }),
    ))

  test('accepts and refuses the same texts as JSON.parse', () =>
    fc.assert(
      fc.property(fc.oneof(arbitraryMutatedJson, fc.uint8Array({ maxLength: 8 })), (bytes) => {
        const whole = Uint8Array.from([...encode('{"a":'), ...bytes, ...encode('}')])
        const outcome = outcomeOf(() => valuesOf(whole))
        fc.pre(outcome !== 'json/duplicate-member')
        expect(outcome).toEqual(outcomeOf(() => Object.entries(JSON.parse(decode(whole)))))
      }),
      { numRuns: 2000 },
    ))

  test('reads any object with distinct names like JSON.parse', () =>
    fc.assert(
      fc.property(arbitraryObjectText, (text) => {
        const outcome = outcomeOf(() => valuesOf(encode(text)))
        fc.pre(outcome !== 'json/duplicate-member')
        expect(new Map(outcome as [string, unknown][])).toEqual(
          new Map(Object.entries(JSON.parse(text))),
        )
      }),
    ))

  test('accepts depth up to the limit', () => {
    const nested = (depth: number) =>
      encode(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`)
    expect(readMembers(nested(maxJsonDepth)).size).toBe(1)
    expect(() => readMembers(nested(maxJsonDepth + 1))).toThrow(withCode('json/too-deep'))
    expect(() => readMembers(nested(1_000_000))).toThrow(withCode('json/too-deep'))
  })

  test('counts depth and not the number of objects', () => {
    const many = `{"a":[${Array.from({ length: 2 * maxJsonDepth }, () => '{}').join(',')}]}`
    expect(readMembers(encode(many)).size).toBe(1)
  })

  test('refuses a duplicate name, also when one is escaped', () => {
    expect(() => readMembers(encode('{"data":1,"d\\u0061ta":2}'))).toThrow(
      expect.objectContaining({ code: 'json/duplicate-member', facts: { member: 'data' } }),
    )
  })

  test.each<[string, string, number]>([
    ['nothing', '', 0],
    ['an array', '[]', 0],
    ['a comma at the end', '{"a":1,}', 7],
    ['a missing colon', '{"a" 1}', 5],
    ['a second value', '{} {}', 3],
    ['a leading zero', '{"a":01}', 6],
    ['a plus sign', '{"a":+1}', 5],
    ['a bare dot', '{"a":1.}', 7],
    ['an exponent without digits', '{"a":1e+}', 8],
    ['a word', '{"a":nul}', 8],
    ['an unknown escape', '{"a":"\\x"}', 7],
    ['a short escape', '{"a":"\\u12"}', 10],
    ['a line break in a string', '{"a":"\n"}', 6],
    ['an open string', '{"a":"', 6],
    ['a single quote', "{'a':1}", 1],
    ['a byte order mark', '\ufeff{}', 0],
  ])('refuses %s with `json/malformed` and its position', (_, text, at) => {
    expect(() => readMembers(encode(text))).toThrow(
      expect.objectContaining({ code: 'json/malformed', facts: { at } }),
    )
  })

  test('refuses every control character in a string with `json/malformed`', () => {
    for (let code = 0; code < 0x20; code++) {
      const text = encode(`{"a":"${String.fromCharCode(code)}"}`)
      expect(() => readMembers(text)).toThrow(withCode('json/malformed'))
    }
    expect(readMembers(encode('{"a":"\u007f"}')).size).toBe(1)
  })

  test.each(['', '1', '12', '123', '123g', '12 4'])(
    'refuses the escape \\u%s with `json/malformed`',
    (digits) => {
      const text = encode(`{"a":"\\u${digits}"}`)
      expect(() => readMembers(text)).toThrow(withCode('json/malformed'))
    },
  )

  test.each([
    ['half a sequence', [0xc3]],
    ['an overlong sequence', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code above the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x80]],
  ])('refuses %s with `json/malformed`', (_, bytes) => {
    const text = Uint8Array.from([...encode('{"a":"'), ...bytes, ...encode('"}')])
    expect(() => readMembers(text)).toThrow(withCode('json/malformed'))
  })
})

describe('isObject', () => {
  test('returns true only for objects', () =>
    fc.assert(
      fc.property(arbitraryJsonText, (text) => {
        const member = readMembers(encode(`{"a": ${text}}`)).get('a')
        const value = JSON.parse(text)
        const expected = typeof value === 'object' && value !== null && !Array.isArray(value)
        expect(member && isObject(member)).toBe(expected)
      }),
    ))
})

function valuesOf(bytes: Uint8Array): readonly (readonly [string, unknown])[] {
  return [...readMembers(bytes)].map(([name, text]) => [name, parseJson(text)] as const)
}

/** Returns the value or the code of the failure; any other error counts as malformed text. */
function outcomeOf<T>(act: () => T): T | string {
  try {
    return act()
  } catch (error) {
    return isFailure(error) ? error.code : 'json/malformed'
  }
}

const withCode = (code: string) => expect.objectContaining({ code })
