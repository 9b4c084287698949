import assert from 'node:assert/strict'
import { type BlobStore, digest } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBlob, arbitraryBytes32 } from '../arbitraries/bytes.ts'
import type { Law } from './law.ts'
import { refuses } from './refuses.ts'

const differentBlobs = fc
  .uniqueArray(arbitraryBlob, { minLength: 2, maxLength: 20, selector: hexOf })
  .map((blobs) => blobs)

/** What every `BlobStore` keeps. */
export const blobStoreLaws: readonly Law<BlobStore>[] = [
  {
    name: 'reads back the bytes that were put',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, async (bytes) => {
          assert.deepEqual(hexOf(await store.get(await store.put(bytes))), hexOf(bytes))
        }),
      ),
  },
  {
    name: 'gives equal bytes the same digest',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, async (bytes) => {
          assert.equal(await store.put(bytes), await store.put(bytes.slice()))
        }),
      ),
  },
  {
    name: 'gives different bytes different digests',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(differentBlobs, async (blobs) => {
          const digests = new Set<string>()
          for (const bytes of blobs) digests.add(await store.put(bytes))
          assert.equal(digests.size, blobs.length)
        }),
      ),
  },
  {
    name: 'keeps bytes that are put again',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, fc.integer({ min: 2, max: 4 }), async (bytes, times) => {
          const first = await store.put(bytes)
          for (let time = 1; time < times; time++) await store.put(bytes.slice())
          assert.deepEqual(hexOf(await store.get(first)), hexOf(bytes))
        }),
      ),
  },
  {
    name: 'keeps many that are put at once',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(differentBlobs, async (blobs) => {
          const digests = await Promise.all(blobs.map((bytes) => store.put(bytes)))
          const read = await Promise.all(digests.map((known) => store.get(known)))
          assert.deepEqual(read.map(hexOf), blobs.map(hexOf))
        }),
      ),
  },
  {
    name: 'refuses an unknown digest with `blob/not-found`',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(arbitraryBytes32, (bytes) =>
          refuses('blob/not-found', store.get(digest(bytes))),
        ),
      ),
  },
]

/** Compared as text: `deepEqual` takes seconds over megabytes, and tells a Buffer from its twin. */
function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
