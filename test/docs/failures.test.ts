import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failuresOf } from '@heirloom/core'
import { describe, expect, it } from 'vitest'
import { acquisitionFailures } from '../../packages/http/src/api/operations/market.ts'
import { read } from './docs.ts'

const folder = 'packages/core/src/use-cases'
const files = readdirSync(join(import.meta.dirname, '../..', folder))
const sources = files.filter((it) => !it.endsWith('.test.ts')).map((it) => read(`${folder}/${it}`))

/** Returns what the docstring of an exported function says after `@throws`. */
function throwsOf(name: string, texts: readonly string[]): string {
  const pattern = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport (?:async )?function ${name}\\b`,
  )
  const docs = texts.flatMap((text) => pattern.exec(text)?.[1] ?? [])
  return docs[0]?.split('@throws')[1] ?? ''
}

const codesIn = (text: string) =>
  [...text.matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, it]) => `${it}`)

describe('the docstring', () => {
  it.each(Object.entries(failuresOf))('of %s names the failures that it has', (verb, failures) => {
    const text = throwsOf(verb, sources)
    const others = [...text.matchAll(/failures of `(\w+)`/g)].map(([, it]) => `${it}`)
    const inherited = Object.entries<readonly string[]>(failuresOf).flatMap(([it, codes]) =>
      others.includes(it) ? codes : [],
    )
    expect(new Set([...inherited, ...codesIn(text)])).toEqual(new Set(failures))
  })

  it('of the guard of acquisitions names those that it adds', () => {
    const guard = read('packages/http/src/server/request/guard-acquisitions.ts')
    expect(codesIn(throwsOf('guardAcquisitions', [guard])).toSorted()).toEqual([
      ...acquisitionFailures,
    ])
  })
})
