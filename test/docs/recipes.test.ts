import { expect, it } from 'vitest'
import { read } from './docs.ts'

/** Returns the files that the first table of a recipe names. */
function filesOf(recipe: string): ReadonlySet<string> {
  const [, section = ''] = read('CONTRIBUTING.md').split(`\n### ${recipe}\n`)
  const [, table = ''] = /\n\| --- [^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? []
  const firstCells = table.split('\n').map((row) => row.split('|')[1] ?? '')
  return new Set(
    firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, it]) => `${it}`)),
  )
}

it('a write verb takes at most 24 files of code and 3 pages', () => {
  const files = [...filesOf('A write verb')]
  expect(files.filter((it) => !it.endsWith('.md')).length).toBeLessThanOrEqual(24)
  expect(files.filter((it) => it.endsWith('.md')).length).toBeLessThanOrEqual(3)
})
