import { randomBytes } from 'node:crypto'
import { unixfs } from '@helia/unixfs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { digestOf } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { blockFiles, emptyFolder, remove } from './test/folders.ts'
import { leaves } from './tree-leaves.ts'

let folders: readonly string[] = []
beforeEach(async () => {
  folders = [await emptyFolder(), await emptyFolder()]
})
afterEach(async () => {
  for (const folder of folders) await remove(folder)
})

test.each([[1], [1_048_577], [3_000_000]])(
  'make the same blocks of %i bytes as the default importer',
  async (length) => {
    const bytes = randomBytes(length)
    const made: (readonly [string, readonly string[]])[] = []
    for (const [index, folder] of folders.entries()) {
      const files = unixfs({ blockstore: await DurableBlockstore.open(folder) })
      const options = index === 0 ? { bufferImporter: leaves } : {}
      const cid = await files.addBytes(bytes, { reduceSingleLeafToSelf: false, ...options })
      const names = (await blockFiles(folder)).map((path) => path.slice(folder.length))
      made.push([digestOf(cid), names.toSorted()])
    }
    expect(made[0]).toEqual(made[1])
  },
)
