import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { read, rowsUnder, testFiles } from './docs.ts'

const promises = rowsUnder(read('SECURITY.md'), '## What is promised, and what holds it').map(
  ([promise = '', test = '']) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? []
    return { promise, file, title }
  },
)

describe('SECURITY.md', () => {
  it('has promises', () => {
    expect(promises.length).toBeGreaterThan(15)
  })

  it.each(promises)('names an existing test for: $promise', ({ file, title }) => {
    const [path = '', ...others] = testFiles(file)
    expect(others, file).toEqual([])
    expect(readFileSync(path, 'utf8')).toContain(`'${title}'`)
  })
})

const named = ['## What an operator may rely on', '## The bad day'].flatMap((heading) =>
  rowsUnder(read('docs/operations.md'), heading).flatMap((cells) =>
    [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  ),
)

describe('docs/operations.md', () => {
  it.each([...new Set(named)])('names one test file: %s', (file) => {
    expect(testFiles(file), file).toHaveLength(1)
  })
})
