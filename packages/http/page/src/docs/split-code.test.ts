import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCode } from './operation-view.tsx'

test('what is in backticks is code', () => {
  expect(splitCode('Signs `a:b` with it.')).toEqual([
    { text: 'Signs ', isCode: false },
    { text: 'a:b', isCode: true },
    { text: ' with it.', isCode: false },
  ])
})

test('nothing but pairs of backticks is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', ' ') }), (text) => {
      const parts = splitCode(text)
      expect(parts.map((it) => (it.isCode ? `\`${it.text}\`` : it.text)).join('')).toBe(text)
    }),
  )
})
