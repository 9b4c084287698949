import { Failure } from '@heirloom/core'
import { expect, test } from 'vitest'
import { failed, findingLines, ok, warn } from './finding.ts'

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

test('a missing native part names Node 20, and restores no healthy folder', () => {
  const facts = { platform: 'linux x64', part: '@nomicfoundation/edr-linux-x64-gnu' }
  const error = new Failure('evm/not-installed', facts)
  const { advice } = failed('chain', error, 'Restore the data folder from a backup.')
  expect(advice).toBe(
    'Install again with Node 24: npm leaves the native part out when it runs under Node 20.',
  )
})
