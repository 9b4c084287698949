import { expect, test } from 'vitest'
import { measureCoverage, total } from './coverage.ts'
import { forge } from './forge.ts'

test('the Solidity is formatted (`pnpm forge fmt`)', () => {
  const { status, stdout } = forge(['fmt', '--check'])
  expect(status, stdout).toBe(0)
})

// The long tier runs them on the optimized code, at larger counts: `pnpm forge:long`.
test('the Solidity tests pass, and reach every line and branch', () => {
  const { lines, branches } = total(measureCoverage())
  expect(Math.min(lines.found, branches.found)).toBeGreaterThan(0)
  expect([lines.hit, branches.hit]).toEqual([lines.found, branches.found])
})
