import { expect, test } from 'vitest'
import { findingLines, ok, warn } from './finding.ts'

test('a finding is one line for a program, and wrapped below its sentence on a terminal', () => {
  const finding = warn('disk', 'The disk has 12 MiB free.', 'Free some space.')
  expect(findingLines(finding, Number.POSITIVE_INFINITY)).toEqual([
    'warn  disk              The disk has 12 MiB free.  — Free some space.',
  ])
  expect(findingLines(finding, 50)).toEqual([
    'warn  disk              The disk has 12 MiB free.',
    '                        — Free some space.',
  ])
  expect(findingLines(ok('node', 'This is Node 24.'), 50)).toEqual([
    'ok    node              This is Node 24.',
  ])
})
