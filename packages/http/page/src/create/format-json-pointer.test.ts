import { expect, test } from 'vitest'
import { formatJsonPointer } from './secret-warnings.tsx'

test.each([
  ['/learned/0', 'learned[0]'],
  ['/env/OPENAI_API_KEY', 'env.OPENAI_API_KEY'],
  ['/a~1b/~0c', 'a/b.~c'],
  ['', ''],
  ['notes.md', 'notes.md'],
])('shows %s as %s', (pointer, path) => {
  expect(formatJsonPointer(pointer)).toBe(path)
})
