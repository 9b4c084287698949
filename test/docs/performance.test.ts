import { expect, test } from 'vitest'
import { replaceTable } from '../../bench/report.ts'
import { read } from './docs.ts'

test('docs/performance.md shows the last measured figures', () => {
  const results = JSON.parse(read('bench/results.json'))
  const document = read('docs/performance.md')
  expect(document).toBe(replaceTable(document, results))
})
