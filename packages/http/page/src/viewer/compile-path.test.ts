import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePath } from './compile-path.ts'

test.each([
  ['notes', 'it must begin with $, such as $.data.notes[*].text.'],
  ['$[', 'it ends too early. Complete it, as in $.data.notes[*].text.'],
  ['$["a]', 'it ends too early. Complete it, as in $.data.notes[*].text.'],
  ['$.a b', 'it cannot be read from character 5 on, “b”. Compare it with $.data.notes[*].text.'],
  [
    '$["🍵"].a b',
    'it cannot be read from character 10 on, “b”. Compare it with $.data.notes[*].text.',
  ],
])('refuses %j, and names the place', (path, problem) => {
  expect(() => compilePath(path)).toThrow(new Error(`“${path}” is no JSONPath: ${problem}`))
})

test('what it refuses of any text is a sentence of bounded length', () => {
  const marks = fc.constantFrom(
    '$',
    '.',
    '[',
    ']',
    '?',
    '@',
    '*',
    '(',
    ')',
    "'",
    'a',
    '0',
    ' ',
    '🍵',
  )
  const texts = fc.string({ unit: marks, maxLength: 200 })
  fc.assert(
    fc.property(texts, (text) => {
      expect(refusalOf(`$${text}`)).toMatch(/^$|^“.{1,250}\.$/su)
    }),
  )
})

function refusalOf(path: string): string {
  try {
    compilePath(path)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
