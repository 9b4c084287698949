import { expect, test } from 'vitest'
import { findingKinds } from '../../packages/adapters/src/scan/finding.ts'
import { bare, read, rowsUnder } from './docs.ts'

test('docs/scanning.md lists every kind of finding as defined', () => {
  const documented = rowsUnder(read('docs/scanning.md'), '## What is found')
  const actual = Object.entries(findingKinds).map(([kind, [severity, sentence]]) => [
    ...[kind, severity, sentence],
  ])
  expect(documented.map(([kind, ...rest]) => [bare(kind ?? ''), ...rest])).toEqual(actual)
})
