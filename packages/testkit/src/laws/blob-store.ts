import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { type BlobStore, type Digest, digest } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBlob, arbitraryBytes32 } from '../arbitraries/bytes.ts'
import type { Law } from './law.ts'
import { refuses } from './refuses.ts'

const differentBlobs = fc
  .uniqueArray(arbitraryBlob, { minLength: 2, maxLength: 20, selector: hexOf })
  .map((blobs) => blobs)

/** Where a head ends, by any number; often near the start, where heads do. */
const arbitraryHead = fc.option(fc.oneof(fc.nat({ max: 1000 }), fc.nat()), { nil: undefined })

const arbitrarySeed = fc.uint8Array({ minLength: 32, maxLength: 32 })

/** Blobs that look random, as sealed bundles do, so that no two have any part in common. */
const sealedBlobs = fc
  .uniqueArray(fc.tuple(arbitrarySeed, arbitraryBlob), {
    minLength: 2,
    maxLength: 8,
    selector: ([seed]) => hexOf(seed),
  })
  .map((pairs) => pairs.map(([seed, blob]) => Buffer.concat([seed, scrambled(seed, blob)])))

/** What every `BlobStore` keeps. */
export const blobStoreLaws: readonly Law<BlobStore>[] = [
  {
    name: 'reads back the bytes that were put',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, arbitraryHead, async (bytes, head) => {
          const name = await store.put(bytes, headIn(bytes, head))
          assert.deepEqual(hexOf(await store.get(name)), hexOf(bytes))
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
        fc.asyncProperty(arbitraryBytes32, async (bytes) => {
          await refuses('blob/not-found', store.get(digest(bytes)))
          await refuses('blob/not-found', store.head(digest(bytes)))
        }),
      ),
  },
  {
    name: 'forgets what is removed, and nothing else',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(sealedBlobs, arbitraryBytes32, async ([first, ...others], unknown) => {
          assert.ok(first)
          const removed = await putAndLook(store, first)
          const digests: Digest[] = []
          for (const bytes of others) digests.push(await putAndLook(store, bytes))
          await store.remove(removed)
          await refuses('blob/not-found', store.get(removed))
          for (const absent of [removed, digest(unknown)]) await store.remove(absent)
          const read = await Promise.all(digests.map((known) => store.get(known)))
          assert.deepEqual(read.map(hexOf), others.map(hexOf))
          const again = await putAndLook(store, first)
          assert.deepEqual(hexOf(await store.get(again)), hexOf(first))
        }),
      ),
  },
  {
    name: 'reads the head of a blob, and no byte that was not put',
    holds: (store) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, arbitraryHead, async (bytes, at) => {
          const headLength = headIn(bytes, at)
          const head = await store.head(await store.put(bytes, headLength))
          assert.ok(head.length >= (headLength ?? 0), 'all of the head is there')
          assert.deepEqual(hexOf(head), hexOf(bytes.subarray(0, head.length)))
        }),
      ),
  },
]

/** Returns the length of the head that a number stands for in a blob; none of an empty one. */
function headIn({ length }: Uint8Array, at: number | undefined): number | undefined {
  return at === undefined || length === 0 ? undefined : 1 + (at % length)
}

/** What putting and getting alone must do, the other laws say. */
async function putAndLook(store: BlobStore, bytes: Uint8Array): Promise<Digest> {
  const name = await store.put(bytes)
  await store.get(name)
  return name
}

function scrambled(seed: Uint8Array, blob: Uint8Array): Uint8Array {
  return createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(blob)
}

/** Compared as text: `deepEqual` takes seconds over megabytes, and tells a Buffer from its twin. */
function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
