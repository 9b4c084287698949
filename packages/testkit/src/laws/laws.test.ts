import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { blobStorageLaws } from './blob-storage.ts'
import { blobStoreLaws } from './blob-store.ts'
import { catalogueLaws } from './catalogue.ts'
import { cipherLaws } from './cipher.ts'
import { clockLaws } from './clock.ts'
import { grantsLaws } from './grants.ts'
import { keyServiceLaws } from './key-service.ts'
import { checkLaws, type Law } from './law.ts'
import { ledgerLaws } from './ledger.ts'
import { namesLaws } from './names.ts'

/** Returns the bullets under `Laws` in the doc comment of a port, which is an interface of a file. */
function bulletsOf(port: string, file: string): readonly string[] {
  const source = readFileSync(
    new URL(`../../../core/src/ports/${file}.ts`, import.meta.url),
    'utf8',
  )
  const [above = ''] = source.split(`export interface ${port} {`)
  const comment = above.slice(above.lastIndexOf('/**'))
  return [...comment.matchAll(/^ \* - (.+)$/gm)].map(([, bullet = '']) => bullet)
}

describe('the docstring of each port', () => {
  test.each([
    ['BlobStorage', 'blob-store', blobStorageLaws.map(({ name }) => name)],
    ['BlobStore', 'blob-store', blobStoreLaws.map(({ name }) => name)],
    ['Catalogue', 'catalogue', catalogueLaws.map(({ name }) => name)],
    ['Cipher', 'cipher', cipherLaws.map(({ name }) => name)],
    ['Clock', 'clock', clockLaws.map(({ name }) => name)],
    ['Grants', 'grants', grantsLaws.map(({ name }) => name)],
    ['KeyService', 'key-service', keyServiceLaws.map(({ name }) => name)],
    ['Ledger', 'ledger', ledgerLaws.map(({ name }) => name)],
    ['Names', 'names', namesLaws.map(({ name }) => name)],
  ])('%s lists exactly its laws', (port, file, names) => {
    expect(names.length).toBeGreaterThan(0)
    expect(names.toSorted()).toEqual(bulletsOf(port, file).toSorted())
  })
})

describe('checkLaws', () => {
  const laws: readonly Law<number>[] = [
    {
      name: 'is positive',
      holds: async (subject) => {
        if (subject <= 0) throw new RangeError(`${subject}`)
      },
    },
    { name: 'is a number', holds: async () => undefined },
  ]

  test('reports which laws are kept, waived and broken', async () => {
    const opener = { open: async () => -1 }
    expect(await checkLaws(laws, opener)).toEqual([
      { name: 'is positive', outcome: 'broken', error: new RangeError('-1') },
      { name: 'is a number', outcome: 'kept' },
    ])
    const waived = { 'is positive': 'it counts debts' }
    expect(await checkLaws(laws, { ...opener, waived })).toEqual([
      { name: 'is positive', outcome: 'waived', reason: 'it counts debts' },
      { name: 'is a number', outcome: 'kept' },
    ])
  })

  test('opens a fresh subject for each law and closes it, broken or not', async () => {
    let opened = 0
    const closed: number[] = []
    await checkLaws(laws, {
      open: async () => opened++ - 1,
      close: async (subject) => {
        closed.push(subject)
      },
    })
    expect(closed).toEqual([-1, 0])
  })

  test('refuses a waiver without a reason, and a waiver of an unknown law', async () => {
    const open = async () => 1
    await expect(checkLaws(laws, { open, waived: { 'is positive': ' ' } })).rejects.toThrow(
      'reason',
    )
    await expect(checkLaws(laws, { open, waived: { 'is odd': 'why' } })).rejects.toThrow('no law')
  })
})
