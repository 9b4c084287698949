import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  type BlobStorage,
  type BlobStore,
  type Digest,
  digest,
  isFailure,
  type OpenBlobStore,
  whileOpen,
} from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBytes32, sealedBlobs } from '../arbitraries/values.ts'
import type { BlobStorageHarness } from '../harness.ts'
import { forAll, type Law } from './law.ts'
import { refuses } from './refuses.ts'

/** The laws of every `BlobStorage`. */
export const blobStorageLaws: readonly Law<BlobStorageHarness>[] = [
  forAll('returns after a reopening what was put before', [sealedBlobs], async (harness, blobs) => {
    const digests = await whileOpen(harness.storage, (store) => putAll(store, blobs))
    const read = await whileOpen(harness.storage, (store) => getAll(store, digests))
    assert.deepEqual(read, blobs.map(hexOf))
  }),
  forAll(
    'retains a blob whose put succeeded during closing',
    [sealedBlobs],
    async ({ storage }, [bytes = Buffer.alloc(32)]) => {
      const store = await storage.open()
      const putting = store.put(bytes).catch(requireUnavailable)
      await store.close()
      const name = await putting
      if (name === undefined) return
      const read = await whileOpen(storage, (again) => getAll(again, [name]))
      assert.deepEqual(read, [hexOf(bytes)])
    },
  ),
  forAll(
    'reads locally what was put, and refuses an unknown digest with `blob/not-found`',
    [sealedBlobs, arbitraryBytes32],
    async (harness, blobs, unknown) => {
      await whileOpen(harness.storage, async (store) => {
        const digests = await putAll(store, blobs)
        assert.deepEqual(await getAll(store.local, digests), blobs.map(hexOf))
        for (const [at, name] of digests.entries()) {
          const head = await store.local.head(name)
          assert.equal(hexOf(head), hexOf(blobs[at]?.subarray(0, head.length)))
        }
        await refusesLocally(store, digest(unknown))
      })
    },
  ),
  {
    name: 'reads locally no blob that only a peer has',
    holds: async ({ storage, peer }) => {
      if (peer === undefined) return
      await whileOpen(storage, (store) =>
        fc.assert(
          fc.asyncProperty(sealedBlobs, async ([bytes = Buffer.alloc(32)]) => {
            const name = await peer.put(bytes)
            await refusesLocally(store, name)
            assert.deepEqual(await getAll(store, [name]), [hexOf(bytes)])
            await store.remove(name)
          }),
        ),
      )
    },
  },
  forAll('sweeps unclaimed blobs of an earlier opening', [sealedBlobs], async (harness, blobs) => {
    const digests = await whileOpen(harness.storage, (store) => putAll(store, blobs))
    await whileOpen(harness.storage, async (store) => {
      await store.sweep(async () => false)
      for (const name of digests) await refuses('blob/not-found', store.get(name))
    })
  }),
  forAll(
    'retains claimed blobs',
    [sealedBlobs],
    async (harness, [bytes = Buffer.alloc(32), ...others]) => {
      const name = await whileOpen(harness.storage, async (store) => {
        const claimed = await store.put(bytes)
        await putAll(store, others)
        await store.claim(claimed)
        return claimed
      })
      assert.deepEqual(await getAfterSweep(harness, name, []), [hexOf(bytes)])
    },
  ),
  forAll('retains unclaimed blobs that are referenced', [sealedBlobs], async (harness, blobs) => {
    const [name] = await whileOpen(harness.storage, (store) => putAll(store, blobs))
    assert.ok(name)
    assert.deepEqual(await getAfterSweep(harness, name, [name]), [hexOf(blobs[0])])
  }),
  forAll('retains unclaimed blobs of its own opening', [sealedBlobs], async (harness, blobs) => {
    await whileOpen(harness.storage, async (store) => {
      const digests = await putAll(store, blobs)
      await store.sweep(async () => false)
      assert.deepEqual(await getAll(store, digests), blobs.map(hexOf))
      for (const name of digests) await store.claim(name)
    })
  }),
  {
    name: 'retains what another storage at its place put',
    holds: async ({ storage, beside }) => {
      if (beside === undefined) return
      await fc.assert(
        fc.asyncProperty(sealedBlobs, async ([bytes = Buffer.alloc(32), ...others]) => {
          await whileOpen(beside, async (other) => {
            const digests = await putAll(other, others)
            await whileOpen(storage, (store) => store.put(bytes))
            await whileOpen(storage, (store) => store.sweep(async () => false))
            assert.deepEqual(await getAll(other, digests), others.map(hexOf))
            for (const name of digests) await other.remove(name)
          })
        }),
      )
    },
  },
  forAll(
    'claims with a promise, also what is not stored',
    [sealedBlobs, arbitraryBytes32],
    async (harness, blobs, unknown) => {
      await whileOpen(harness.storage, async (store) => {
        for (const name of [...(await putAll(store, blobs)), digest(unknown)]) {
          const claim: unknown = store.claim(name)
          assert.ok(claim instanceof Promise, `${String(claim)} is not a promise`)
          await claim.catch(requireUnavailable)
        }
      })
    },
  ),
  forAll(
    'verifies intact blobs as intact',
    [sealedBlobs, fc.integer({ min: 1, max: 5 })],
    async ({ storage }, blobs, limit) => {
      await whileOpen(storage, (store) => putAll(store, blobs))
      if (storage.verify === undefined) return
      const { checked, corrupt } = await storage.verify(limit)
      assert.ok(checked >= 1 && checked <= limit, `${checked} parts are 1 to ${limit}`)
      assert.deepEqual(corrupt, [])
    },
  ),
  {
    name: 'verifies a damaged blob as corrupt',
    holds: async ({ storage, damage }) => {
      if (storage.verify === undefined || damage === undefined) return
      const [bytes = Buffer.alloc(32)] = fc.sample(sealedBlobs, 1).flat()
      const name = await whileOpen(storage, (store) => store.put(bytes))
      await damage(name)
      assert.deepEqual(await countCorrupt(storage), 1)
    },
  },
  {
    name: 'lists the parts of a blob, and removes them one by one',
    holds: ({ storage }) =>
      whileOpen(storage, async (store) => {
        const { parts, removeParts } = store
        if (parts === undefined || removeParts === undefined) return
        const [one, other] = [randomBytes(largeBlob), randomBytes(largeBlob)]
        const [name, second] = [await store.put(one, 100), await store.put(other, 100)]
        const [first, ...rest] = await parts(name)
        assert.equal(first, name, 'a blob is its own first part')
        // What a part refers to stays.
        await removeParts([name])
        for (const it of rest) assert.ok((await store.local.get(it)).length < largeBlob)
        await removeParts(rest)
        for (const it of [name, ...rest]) await refusesLocally(store, it)
        assert.deepEqual(await parts(name), [])
        assert.deepEqual(await getAll(store, [second]), [hexOf(other)])
      }),
  },
]

/** The length of a blob that a storage may cut, in bytes. */
const largeBlob = 200_000

/** More than the parts of a few blobs. */
const allParts = 1000

async function countCorrupt(storage: BlobStorage): Promise<number> {
  const result = await storage.verify?.(allParts)
  return result?.corrupt.length ?? 0
}

type Storage = Pick<BlobStorageHarness, 'storage'>

/** Reopens the storage, sweeps it, and gets a blob that must not have been swept. */
function getAfterSweep(
  harness: Storage,
  name: Digest,
  referenced: readonly Digest[],
): Promise<readonly string[]> {
  return whileOpen(harness.storage, async (store) => {
    await store.sweep(async (orphan) => referenced.includes(orphan))
    return getAll(store, [name])
  })
}

async function putAll(store: BlobStore, blobs: readonly Uint8Array[]): Promise<readonly Digest[]> {
  const digests: Digest[] = []
  for (const bytes of blobs) digests.push(await store.put(bytes))
  return digests
}

async function getAll(
  store: Pick<BlobStore, 'get'>,
  digests: readonly Digest[],
): Promise<readonly string[]> {
  const blobs: string[] = []
  for (const name of digests) blobs.push(hexOf(await store.get(name)))
  return blobs
}

async function refusesLocally({ local }: OpenBlobStore, name: Digest): Promise<void> {
  await refuses('blob/not-found', local.get(name))
  await refuses('blob/not-found', local.head(name))
}

/** A closing store may refuse a put. */
function requireUnavailable(error: unknown): undefined {
  if (!isFailure(error, 'blob/unavailable')) throw error
}

const hexOf = (bytes: Uint8Array = new Uint8Array()): string => Buffer.from(bytes).toString('hex')
