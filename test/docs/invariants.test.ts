import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, rowsUnder } from './docs.ts'

/** The tests of the contracts by the names that the page gives them. */
const folder = join(import.meta.dirname, '../../packages/adapters/contracts')
const files = new Map(
  globSync(['test/*.test.ts', 'forge/*/*.t.sol'], { cwd: folder }).map((path) => [
    path.replace(/^(test|forge)\//, '').replace(/\.test\.ts$/, ''),
    join(folder, path),
  ]),
)
const [, text = ''] = read('docs/threat-model.md').split('\n## What always holds\n')
const headings = [...text.matchAll(/^### .+$/gm)].map(([heading]) => heading)

/** Every test that an invariant names: its file, and its title or the function of the check. */
const claims = headings.flatMap((heading) =>
  rowsUnder(text, heading).flatMap(([invariant = '', tests = '']) =>
    tests.split('<br>').map((test) => {
      const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? []
      return { invariant, file, title }
    }),
  ),
)

describe('docs/threat-model.md', () => {
  it('has invariants', () => {
    expect(claims.length).toBeGreaterThan(40)
  })

  it.each(claims)('names an existing test for: $invariant ($title)', ({ file, title }) => {
    expect([...files.keys()]).toContain(file)
    const source = readFileSync(files.get(file) ?? '', 'utf8')
    const isNamed = file.endsWith('.sol')
      ? new RegExp(`(\\.|function )${title}\\(`).test(source)
      : source.includes(`'${title}'`)
    expect(isNamed, `${file}: ${title}`).toBe(true)
  })
})
