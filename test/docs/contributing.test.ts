import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, rowsUnder } from './docs.ts'

const root = join(import.meta.dirname, '../..')
const text = read('CONTRIBUTING.md')
const [, recipes = ''] = text.split('\n## Recipes\n')

/** The recipes: their titles, the number that stands beside each, and the files in its first column. */
const all = [...recipes.matchAll(/^### (.*)\n\n(?:(\d+) files\.)?/gm)].map(([, title, count]) => {
  const named = rowsUnder(text, `### ${title}`).flatMap(([files = '']) =>
    [...files.matchAll(/`([\w./-]+)`/g)].map(([, file]) => `${file}`),
  )
  return { title: `${title}`, count: Number(count), files: [...new Set(named)] }
})

describe('the recipes of CONTRIBUTING.md', () => {
  it('are all read', () => {
    expect(all.length).toBeGreaterThan(8)
  })

  it.each(all)('of $title names files that exist, and as many as it says', ({ count, files }) => {
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(files).toHaveLength(count)
  })
})
