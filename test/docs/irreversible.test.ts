import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { read, rowsUnder, testFiles } from './docs.ts'

const heading = '## What cannot be undone, and what confirms it'
const acts = rowsUnder(read('docs/writes.md'), heading).map(([act = '', confirmed, test = '']) => {
  const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? []
  return { act, confirmed, file, title }
})

describe('docs/writes.md', () => {
  it('says of many acts what confirms them', () => {
    expect(acts.length).toBeGreaterThan(12)
  })

  it.each(acts)('names what confirms, and an existing test for: $act', ({ confirmed, ...it }) => {
    expect(confirmed).not.toBe('')
    const [path = '', ...others] = testFiles(it.file)
    expect(others, it.file).toEqual([])
    expect(readFileSync(path, 'utf8')).toContain(`'${it.title}'`)
  })
})
