import { expect, test } from 'vitest'
import { readSummary, total } from './coverage.ts'

const summary = `
| File                | % Lines        | % Statements  | % Branches    | % Funcs       |
| src/Market.sol      | 50.00% (1/2)   | 75.00% (3/4)  | 100.00% (0/0) | 100.00% (1/1) |
| src/lib/Terms.sol   | 100.00% (3/3)  | 100.00% (4/4) | 50.00% (1/2)  | 50.00% (1/2)  |
| forge/Market.t.sol  | 10.00% (1/10)  | 10.00% (1/10) | 0.00% (0/5)   | 20.00% (1/5)  |
| Total               | 33.33% (5/15)  | 44.44% (8/18) | 14.28% (1/7)  | 37.50% (3/8)  |
`

test('reads only the files of src', () => {
  expect(readSummary(summary).map(({ file }) => file)).toEqual([
    'src/Market.sol',
    'src/lib/Terms.sol',
  ])
})

test('adds the files up', () => {
  expect(total(readSummary(summary))).toEqual({
    file: 'all',
    lines: { hit: 4, found: 5 },
    statements: { hit: 7, found: 8 },
    branches: { hit: 1, found: 2 },
    functions: { hit: 2, found: 3 },
  })
})

test('rejects a cell without coverage', () => {
  expect(() => readSummary('| src/Market.sol | many | 1 | 1 | 1 |')).toThrow('many')
})
