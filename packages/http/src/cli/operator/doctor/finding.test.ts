import { Failure } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { failed, findingLines, keepData, ok, warn } from './finding.ts'

test('a finding is one line for a program, and wrapped below its sentence on a terminal', () => {
  const finding = warn('disk', 'The disk has 12 MiB free.', 'Free some space.')
  expect(findingLines(finding, Number.POSITIVE_INFINITY)).toEqual([
    'warn  disk              The disk has 12 MiB free.  — Free some space.',
  ])
  expect(findingLines(finding, 50)).toEqual([
    'warn  disk              The disk has 12 MiB free.',
    '                        — Free some space.',
  ])
  expect(findingLines(finding, 40)).toEqual([
    'warn  disk',
    '      The disk has 12 MiB free.  — Free',
    '      some space.',
  ])
  expect(findingLines(ok('node', 'This is Node 24.'), 50)).toEqual([
    'ok    node              This is Node 24.',
  ])
})

describe('a restore is proposed only where data is known to be lost', () => {
  const part = { platform: 'linux x64', part: '@nomicfoundation/edr-linux-x64-gnu' }
  const hash = `0x${'0'.repeat(64)}` as const

  test.each<[string, unknown, RegExp]>([
    [
      'a missing native part',
      new Failure('evm/not-installed', part),
      /^Install again with Node 24 .* needs no change/,
    ],
    ['an unknown error', new TypeError('x is not a function'), /put nothing back/],
    [
      'an EVM that ended',
      new Failure('ledger/unavailable', { operation: 'x' }),
      /put nothing back/,
    ],
    ['another process', new Failure('folder/in-use', { folder: 'f' }), /^Stop the server/],
    [
      'a chain that another version made',
      new Failure('journal/diverged', { entry: 1, expected: hash, actual: hash }),
      /^Run doctor with the version of Heirloom that ran here last\. If that/,
    ],
    [
      'a database behind a pooler',
      new Failure('config/invalid', {
        name: 'DATABASE_URL',
        problem: 'is shared; use another one',
      }),
      /^Use another one\.$/,
    ],
  ])('not for %s', (_, error, advice) => {
    expect(failed('chain', error, keepData).advice).toMatch(advice)
  })
})
