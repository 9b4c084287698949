import assert from 'node:assert/strict'
import { type BlobStore, type Digest, digest } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBlob, arbitraryBytes32, sealedBlobs } from '../arbitraries/values.ts'
import { forAll, type Law } from './law.ts'
import { refuses } from './refuses.ts'

const differentBlobs = fc
  .uniqueArray(arbitraryBlob, { minLength: 2, maxLength: 20, selector: hexOf })
  .map((blobs) => blobs)

/** The longest head, in bytes. */
const longestHead = 131_072

/** A number that selects the end of a head, often near the start of the blob. */
const arbitraryHead = fc.option(fc.oneof(fc.nat({ max: 1000 }), fc.nat({ max: longestHead - 1 })), {
  nil: undefined,
})

/** The lengths of a blob of one block, and of one of several. */
const longLengths = fc.constantFrom(131_073, 2_097_153)

/** Two numbers that select the ends of a stretch. */
const stretches = fc.tuple(fc.nat(), fc.nat())
const least = (one: number, other: number) => one - other

/** The laws of every `BlobStore`. */
export const blobStoreLaws: readonly Law<BlobStore>[] = [
  forAll(
    'returns the bytes that were put',
    [arbitraryBlob, arbitraryHead],
    async (store, bytes, head) => {
      const name = await store.put(bytes, headIn(bytes, head))
      assert.deepEqual(hexOf(await store.get(name)), hexOf(bytes))
    },
  ),
  forAll('returns the same digest for equal bytes', [arbitraryBlob], async (store, bytes) => {
    assert.equal(await store.put(bytes), await store.put(bytes.slice()))
  }),
  forAll(
    'returns different digests for different bytes',
    [differentBlobs],
    async (store, blobs) => {
      const digests = new Set<string>()
      for (const bytes of blobs) digests.add(await store.put(bytes))
      assert.equal(digests.size, blobs.length)
    },
  ),
  forAll(
    'retains bytes that are put again',
    [arbitraryBlob, fc.integer({ min: 2, max: 4 })],
    async (store, bytes, times) => {
      const first = await store.put(bytes)
      for (let time = 1; time < times; time++) await store.put(bytes.slice())
      assert.deepEqual(hexOf(await store.get(first)), hexOf(bytes))
    },
  ),
  forAll('stores blobs that are put at the same time', [differentBlobs], async (store, blobs) => {
    const digests = await Promise.all(blobs.map((bytes) => store.put(bytes)))
    const read = await Promise.all(digests.map((known) => store.get(known)))
    assert.deepEqual(read.map(hexOf), blobs.map(hexOf))
  }),
  forAll(
    'refuses an unknown digest with `blob/not-found`',
    [arbitraryBytes32],
    async (store, bytes) => {
      await refuses('blob/not-found', store.get(digest(bytes)))
      await refuses('blob/not-found', store.head(digest(bytes)))
    },
  ),
  forAll(
    'removes one blob and no other',
    [sealedBlobs, arbitraryBytes32],
    async (store, [first, ...others], unknown) => {
      assert.ok(first)
      const removed = await putAndGet(store, first)
      const digests: Digest[] = []
      for (const bytes of others) digests.push(await putAndGet(store, bytes))
      await store.remove(removed)
      await refuses('blob/not-found', store.get(removed))
      for (const absent of [removed, digest(unknown)]) await store.remove(absent)
      const read = await Promise.all(digests.map((known) => store.get(known)))
      assert.deepEqual(read.map(hexOf), others.map(hexOf))
      const again = await putAndGet(store, first)
      assert.deepEqual(hexOf(await store.get(again)), hexOf(first))
    },
  ),
  forAll(
    'returns the head of a blob and only bytes that were put',
    [arbitraryBlob, arbitraryHead],
    async (store, bytes, at) => {
      const headLength = headIn(bytes, at)
      const head = await store.head(await store.put(bytes, headLength))
      assert.ok(head.length >= (headLength ?? 0), 'the head is complete')
      assert.deepEqual(hexOf(head), hexOf(bytes.subarray(0, head.length)))
    },
  ),
  forAll(
    'returns a stretch of a blob',
    [arbitraryBlob, arbitraryHead, stretches],
    async (store, bytes, head, numbers) => {
      const name = await store.put(bytes, headIn(bytes, head))
      const [offset = 0, end = 0] = numbers.map((at) => at % (bytes.length + 1)).toSorted(least)
      const stretch = await store.get(name, { offset, length: end - offset })
      assert.deepEqual(hexOf(stretch), hexOf(bytes.subarray(offset, end)))
    },
  ),
  forAll(
    'refuses a blob that is longer than a bound with `blob/corrupt`',
    [arbitraryBlob, arbitraryHead],
    async (store, bytes, head) => {
      const name = await store.put(bytes, headIn(bytes, head))
      for (const atMost of [bytes.length, bytes.length + 1]) {
        assert.deepEqual(hexOf(await store.get(name, { atMost })), hexOf(bytes))
      }
      if (bytes.length === 0) return
      await refuses('blob/corrupt', store.get(name, { atMost: bytes.length - 1 }))
    },
  ),
  forAll(
    'shares no bytes of a blob of more than 128 KiB with those who put or get it',
    [longLengths, fc.integer({ min: 1, max: 255 })],
    async (store, length, byte) => {
      const bytes = new Uint8Array(length).fill(byte)
      const name = await store.put(bytes, 100)
      await store.put(bytes.slice(0, 1))
      bytes.fill(0)
      for (let time = 0; time < 2; time++) {
        const read = await store.get(name)
        assert.ok(read.length === length && read.every((it) => it === byte), 'the same bytes')
        read.fill(0)
      }
    },
    { numRuns: 3 },
  ),
]

/** Returns the length of a head that a number selects; `undefined` for an empty blob. */
function headIn({ length }: Uint8Array, at: number | undefined): number | undefined {
  return at === undefined || length === 0 ? undefined : 1 + (at % length)
}

/** Puts bytes and reads them once; other laws check the result. */
async function putAndGet(store: BlobStore, bytes: Uint8Array): Promise<Digest> {
  const name = await store.put(bytes)
  await store.get(name)
  return name
}

/**
 * Converts bytes to text for comparison: `deepEqual` is slow for megabytes and distinguishes a
 * Buffer.
 */
function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
