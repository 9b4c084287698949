import { expect, test } from 'vitest'
import { showText } from './compare-memory.tsx'

test('shows what is not seen, and the beginning of a long text', () => {
  expect(showText('a\u{202E}b\u{200B}\u{1B}[31m\n\u{D800}c')).toBe(
    'a\\u{202e}b\\u{200b}\\u{1b}[31m \\u{d800}c',
  )
  expect(showText('x'.repeat(1600))).toBe(`${'x'.repeat(600)}… and 1,000 more characters`)
})
