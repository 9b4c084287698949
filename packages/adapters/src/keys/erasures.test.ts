import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { instant } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { erasedFile, fileErasureStore, openErasures } from './erasure-store.ts'
import { fileSteps } from './key-file.ts'
import { erasureLaws, nthDigest } from './test/erasure-laws.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

const openIn = (...folders: readonly [string, ...string[]]) => {
  const [first, ...others] = folders.map((folder) => fileErasureStore({ folder }))
  if (first === undefined) throw new Error('There is a folder.')
  return openErasures([first, ...others])
}

describe('the erasures in a file', () => {
  test.each(erasureLaws)('$name', async ({ holds }) => {
    const folder = temporaryFolder()
    await holds({ erasures: await openIn(folder), reopen: () => openIn(folder) })
  })

  test('have the laws of the port, word for word', () => {
    const port = fileURLToPath(import.meta.resolve('../../../core/src/ports/erasures.ts'))
    const bullets = readFileSync(port, 'utf8').matchAll(/^ \* - (.+)$/gm)
    expect([...bullets].map(([, name]) => name)).toEqual(erasureLaws.map(({ name }) => name))
  })

  test.each([0, 1, 2, 3])('are noted or not when a crash comes before step %d', async (at) => {
    const folder = temporaryFolder()
    await (await openIn(folder)).add([nthDigest(1)], instant(5))
    let step = 0
    const dying = <Of extends readonly unknown[]>(act: (...of: Of) => void) => {
      return (...of: Of) => {
        if (step++ === at) throw new Error('killed')
        act(...of)
      }
    }
    const { write, sync, rename } = fileSteps
    const steps = { write: dying(write), sync: dying(sync), rename: dying(rename) }
    const { add } = await openErasures([fileErasureStore({ folder, steps })])
    await expect(add([nthDigest(2)], instant(6))).rejects.toThrow('killed')
    const { find } = await openIn(folder)
    expect([1, 2].map(nthDigest).map(find)).toEqual([5, at === 3 ? 6 : undefined])
  })

  test('leave out a line that somebody damaged', async () => {
    const folder = temporaryFolder()
    await (await openIn(folder)).add([1, 2].map(nthDigest), instant(5))
    const path = join(folder, erasedFile)
    writeFileSync(path, `\nhalf of a li\n${readFileSync(path, 'utf8')}`)
    const { all } = await openIn(folder)
    expect(all()).toEqual([1, 2].map(nthDigest))
  })
})

describe('the erasures in two places', () => {
  test('have what either place has, whichever of them is restored from a backup', async () => {
    const [shared, own] = [temporaryFolder(), temporaryFolder()]
    const { add } = await openIn(shared, own)
    await add([nthDigest(1)], instant(5))
    for (const place of [shared, own]) {
      writeFileSync(join(place, erasedFile), '')
      await openIn(shared, own)
      expect((await openIn(place)).find(nthDigest(1))).toBe(5)
    }
  })

  test('tell once what another server has added', async () => {
    const [shared, one, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    const [mine, yours] = [await openIn(shared, one), await openIn(shared, other)]
    await yours.add([nthDigest(1)], instant(5))
    expect(await mine.refresh()).toEqual([nthDigest(1)])
    expect(await mine.refresh()).toEqual([])
    expect((await openIn(one)).find(nthDigest(1))).toBe(5)
    expect(await yours.refresh()).toEqual([])
  })
})
