import { expect, test } from 'vitest'
import {
  allStatements,
  printStatements,
  statementsOf,
  testFiles,
  writtenStatements,
} from '../statements.ts'

test('no statement is lost and no count is lowered without the list; `node test/statements.ts --write` writes it', () => {
  const now = printStatements(allStatements()).split('\n')
  const written = writtenStatements().split('\n')
  expect(differenceOf(written, now), 'lost').toEqual([])
  expect(differenceOf(now, written), 'not in the list yet').toEqual([])
})

test('every file of tests is in a tier', () => {
  // These are the projects of `vitest.config.ts`; the long tier runs the files named `.long` too.
  const inTier = /^(packages\/(core|testkit|adapters|http)\/|test\/)/
  expect(testFiles().filter((it) => !inTier.test(it))).toEqual([])
})

test('titles and counts are read also from tables, templates and nested blocks', () => {
  const source = `
    describe('a block', () => {
      it.each([['x', 1]])('has %s', () => {})
      test(\`is \${name} here\`, { timeout: 1 }, async () => {
        fc.assert(property, { numRuns: times(3, 1_000), seed: 7 })
        fc.assert(property, { numRuns: 500 })
      })
    })`
  const titles = ['a block', 'has %s', `is \${name} here`]
  const counts = [
    { words: 'numRuns', least: 500 },
    { words: 'times', least: 3 },
  ]
  expect(statementsOf(source)).toEqual({ titles, counts })
})

/** Returns the lines of one list that another lacks, each with the path that it stands under. */
function differenceOf(some: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(withPaths(others))
  return withPaths(some).filter((it) => !known.has(it))
}

function withPaths(lines: readonly string[]): readonly string[] {
  let file = ''
  const seen = new Map<string, number>()
  return lines.flatMap((line) => {
    if (!line.startsWith('  ')) {
      file = line
      return []
    }
    // The same title may stand twice in a file.
    const key = `${file}:${line}`
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return [count === 1 ? key : `${key} (${count})`]
  })
}
