import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, rowsUnder } from './docs.ts'

const root = join(import.meta.dirname, '../..')
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
    const path = join(root, file)
    expect(existsSync(path), file).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain(`'${title}'`)
  })
})
