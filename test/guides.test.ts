import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { read } from './docs.ts'
import { openReader, type Reader, stepsOf } from './worlds/guide.ts'

let reader: Reader | undefined
afterEach(async () => {
  await reader?.leave()
  reader = undefined
})

const guides = readdirSync(join(import.meta.dirname, '../docs/guides'))

describe.each(guides)('docs/guides/%s', (name) => {
  const steps = stepsOf(read(`docs/guides/${name}`))

  it('can be followed to its end', async () => {
    reader = openReader()
    await reader.follow(steps)
    expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(0)
  })
})
