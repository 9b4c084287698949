import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { declaredNames } from '../harness/words/declared-names.ts'
import { retiredSentences } from '../harness/words/retired-sentences.ts'
import { hasRetiredWord, plainWordFor } from '../harness/words/retired-words.ts'

const root = join(import.meta.dirname, '../..')
const skipped = /node_modules|\.generated\.ts$|^packages\/[^/]+\/(dist|lib)\//

const files = globSync(['packages/**/*.{ts,tsx}', 'test/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: (path) => basename(path) === 'node_modules',
})
  .filter((file) => !skipped.test(file))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

describe('the words of the sources', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(700)
  })

  it('are not retired ones in the names of files', () => {
    const findings = files.flatMap(({ file }) => {
      const plain = plainWordFor(basename(file))
      return plain === undefined ? [] : [`${file}: say ${plain}`]
    })
    expect(findings.join('\n')).toBe('')
  })

  it('are not retired ones in declared names', () => {
    // Parsing is slow, so files without any such word are skipped.
    const suspects = files.filter(({ text }) => hasRetiredWord(text))
    const findings = suspects.flatMap(({ file, text }) =>
      declaredNames(file, text).flatMap(({ name, start }) => {
        const plain = plainWordFor(name)
        return plain === undefined ? [] : [`${file}:${lineAt(text, start)}: ${name}: say ${plain}`]
      }),
    )
    expect(findings.join('\n')).toBe('')
  })

  it('begin no docstring with a question word', () => {
    const question = /\/\*\*(?:\s|\*(?!\/))*(What|How|Who|Whom|Whose|Where)\b.*/g
    const findings = files.flatMap(({ file, text }) =>
      [...text.matchAll(question)].map(
        ({ 0: doc, index }) => `${file}:${lineAt(text, index)}: ${doc.replace(/\s+/g, ' ')}`,
      ),
    )
    expect(findings.join('\n')).toBe('')
  })
})

test('no message and no document says a sentence that readers stumbled over', () => {
  const documents = globSync(
    ['*.md', 'docs/**/*.md', 'packages/*/agents/*.md', 'publish/**/*.md'],
    {
      cwd: root,
    },
  ).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  expect(documents.length).toBeGreaterThan(30)
  const sources = files.filter(
    ({ file }) => file.startsWith('packages/') && !file.includes('.test.'),
  )
  const findings = [...documents, ...sources].flatMap(({ file, text }) =>
    retiredSentences.filter((it) => text.includes(it)).map((it) => `${file}: ${it}`),
  )
  expect(findings).toEqual([])
})

describe('the search for words', () => {
  const source = `
    import { a as told } from './a.ts'
    export type Asked<Kept> = { readonly letGo: (wanted: string) => void }
    export function spell({ a: spelled, crew: [alarm, ...bells], told }: Asked<1>, kept = 1) {
      for (const letGo of [1]) ((bulk) => bulk)(letGo)
      try {} catch (happened) {}
    }
    export class Bell { ring(incomes: string) {} }
    const text = 'told'`

  it('finds every declared name', () => {
    const names = declaredNames('a.ts', source).map(({ name }) => name)
    expect(names.toSorted()).toEqual(
      [
        ...['told', 'Asked', 'Kept', 'wanted', 'spell', 'spelled', 'alarm', 'bells', 'kept'],
        ...['letGo', 'bulk', 'happened', 'Bell', 'incomes', 'text'],
      ].toSorted(),
    )
  })

  it.each([
    ['told', true],
    ['letGoOf', true],
    ['untilItWorks', true],
    ['as-nobody.ts', true],
    ['BELLS', true],
    ['isAsked', true],
    ['unlocked', false],
    ['outlet', false],
    ['bulkhead', false],
    ['nobody', false],
  ])('knows whether %s is retired', (name, isRetired) => {
    expect(plainWordFor(name) !== undefined).toBe(isRetired)
  })
})
