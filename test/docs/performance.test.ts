import { expect, test } from 'vitest'
import { withTable } from '../../bench/document.ts'
import { read } from './docs.ts'

test('docs/performance.md shows the last measured figures', () => {
  const results = JSON.parse(read('bench/results.json'))
  const document = read('docs/performance.md')
  expect(document).toBe(withTable(document, results))
})
