import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Digest } from '@heirloom/core'
import { blobStorageLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { heliaBlobStorage, heliaBlobStore } from './helia.ts'
import { emptyFolder, fileOf, remove } from './test/folders.ts'

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.()
})

async function newFolder(): Promise<string> {
  const folder = await emptyFolder()
  cleanups.push(() => remove(folder))
  return folder
}

// Each run opens the folder twice, and with a peer it starts an IPFS node.
const runs = fc.readConfigureGlobal().numRuns ?? 100
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Math.ceil(runs / 5) })

describeLaws('helia blob storage', blobStorageLaws, {
  open: async () => {
    const folder = await newFolder()
    const damage = (name: Digest) => writeFile(fileOf(folder, name), 'other bytes')
    return { storage: heliaBlobStorage({ folder }), damage }
  },
})

describeLaws(
  'helia blob storage with a peer',
  blobStorageLaws.filter(({ name }) => name.includes('peer')),
  {
    async open() {
      const folder = await newFolder()
      const listen = ['/ip4/127.0.0.1/tcp/0']
      const peer = await heliaBlobStore({
        folder: join(folder, 'peer'),
        network: { listen, peers: [] },
      })
      cleanups.push(() => peer.close())
      const network = { listen: [], peers: peer.addresses() }
      return { storage: heliaBlobStorage({ folder: join(folder, 'here'), network }), peer }
    },
  },
)
