import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineName, name, readLineName } from './name.ts'

const segment = fc.stringMatching(/^[a-z0-9_][a-z0-9._-]{0,20}$/)
const arbitraryName = fc.array(segment, { minLength: 1, maxLength: 4 }).map((it) => it.join('/'))

describe('a name', () => {
  test.each(['ada', 'ada/trading', 'été', '記憶/1', '_x', 'a.b-c_d', 'हिन्दी'])(
    'may be %s',
    (text) => {
      expect(name(text)).toBe(text)
    },
  )

  test.each([
    ['', 'is empty'],
    ['Ada', 'has capital letters; write it like ada'],
    ['/ada', 'has an empty segment'],
    ['ada/', 'has an empty segment'],
    ['ada//b', 'has an empty segment'],
    ['..', 'has a segment that does not begin with'],
    ['ada/../bob', 'has a segment that does not begin with'],
    ['-rf', 'has a segment that does not begin with'],
    ['a b', 'has something else than letters'],
    ['a\\b', 'has something else than letters'],
    ['a:b', 'has something else than letters'],
    ['🙂', 'has something else than letters'],
    ['a\u200Db', 'contains U+200D'],
    ['a\u202Eb', 'contains U+202E'],
    ['a\nb', 'contains U+000A'],
    ['e\u0301te\u0301', 'has letters that are not composed (NFC)'],
    ['a'.repeat(65), 'has a segment of more than 64'],
    [`${'a/'.repeat(64)}b`, 'has more than 128'],
  ])('is never %j', (text, problem) => {
    expect(() => name(text)).toThrow(expect.objectContaining({ code: 'name/malformed' }))
    expect(() => name(text)).toThrow(problem)
  })

  test('comes back out of the text of its line with its owner', () => {
    const owners = fc.stringMatching(/^[!-~ ]{1,60}$/)
    fc.assert(
      fc.property(owners, arbitraryName, (owner, text) => {
        const owned = { owner, name: name(text) }
        expect(readLineName(lineName(owned))).toEqual(owned)
      }),
    )
    expect(readLineName('ada')).toBeUndefined()
    expect(readLineName('\nada')).toBeUndefined()
  })
})
