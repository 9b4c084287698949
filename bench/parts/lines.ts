import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { account, type Digest } from '@heirloom/core'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const anyone = account('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
const context = { registry: { chainId: 31_337, address: anyone }, creator: anyone }

/** A version that was saved, what it added in bytes, and the processor time in milliseconds. */
export type Saved = {
  readonly sealed: Uint8Array
  readonly digest: Digest
  readonly added: number
  readonly time: number
}

/** Waits until the collector, which goes on in threads of its own, uses no processor any more. */
async function untilIdle(): Promise<void> {
  for (;;) {
    const before = process.cpuUsage()
    await setTimeout(50)
    const { user, system } = process.cpuUsage(before)
    if (user + system < 5000) return
  }
}

/** Opens a line of versions in a folder of its own: the cipher and the store of a server. */
export async function openLine() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-line-'))
  const store = await heliaBlobStore({ folder })
  const keys = sealingKeyRing([randomBytes(32)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 27 })
  /** Saves a document, which is handed over with its buffer. */
  const save = async (document: Uint8Array, previous?: Digest): Promise<Saved> => {
    let added = 0
    const put = (bytes: Uint8Array, headLength?: number) => {
      added += bytes.length
      return store.put(bytes, headLength)
    }
    // What the making of the document left is not the work of the save.
    collectGarbage()
    await untilIdle()
    const before = process.cpuUsage()
    const line = { name: 'bench', previous }
    // A server hands over the body of a request, too.
    const options = { blobs: { ...store, put }, line, isHandedOver: true }
    const { sealed, headLength } = await cipher.seal(document, context, options)
    const digest = await put(sealed, headLength)
    const { user, system } = process.cpuUsage(before)
    return { sealed, digest, added, time: (user + system) / 1000 }
  }
  const open = async ({ digest }: Pick<Saved, 'digest'>): Promise<void> => {
    await cipher.open(await store.get(digest), context, store)
  }
  const close = async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return { save, open, close }
}
