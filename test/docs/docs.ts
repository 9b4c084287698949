import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Reads a file of this repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Returns the cells of every table row under a heading, without the table heads. */
export function rowsUnder(text: string, heading: string): string[][] {
  const section = (text.split(`\n${heading}\n`)[1] ?? '').split(/\n##+ /)[0] ?? ''
  const bodies = section.replace(/^\|.*\n\| *-.*\n/gm, '')
  const rows = bodies.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) => row.split('|').slice(1, -1)).map((cells) => cells.map((at) => at.trim()))
}

/** Returns a cell without backticks. */
export const bare = (cell = ''): string => cell.replaceAll('`', '')

const tests = globSync(['test/**/*.test.ts', 'packages/**/*.test.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
})

/** Returns the test files that a document means by the end of a path without `.test.ts`. */
export const testFiles = (name: string): readonly string[] =>
  tests.filter((path) => `/${path}`.endsWith(`/${name}.test.ts`)).map((path) => join(root, path))
