import { blobStoreLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { afterAll } from 'vitest'
import { heliaBlobStore } from './helia.ts'
import { emptyFolder, remove } from './test/folders.ts'

const folders: string[] = []
afterAll(() => Promise.all(folders.map(remove)))

describeLaws('helia blob store', blobStoreLaws, {
  async open() {
    const folder = await emptyFolder()
    folders.push(folder)
    return heliaBlobStore({ folder })
  },
  close: (store) => store.close(),
})
