import { randomBytes } from 'node:crypto'
import { Failure, type SealContext } from '@heirloom/core'
import { blobStoreLaws, cipherLaws, memoryBlobStore, memoryCipher } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BundlePorts, decryptedCache } from './decrypted-cache.ts'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { context } from './test/bound-cipher.ts'

const limit = 2 ** 20
const sealedOnly = { get: 1, open: 3 }
const memoryPorts = (): BundlePorts => ({ blobStore: memoryBlobStore(), cipher: memoryCipher() })

describeLaws('a blob store with a decrypted cache', blobStoreLaws, {
  open: async () => decryptedCache(memoryPorts(), limit).blobStore,
})
describeLaws('a cipher with a decrypted cache', cipherLaws, {
  open: async () => decryptedCache(memoryPorts(), limit).cipher,
})

/** Returns a cache, and the number of calls of the ports below it. */
function countingCache(limit: number, { blobStore, cipher }: BundlePorts = memoryPorts()) {
  const calls = { get: 0, open: 0 }
  const parts = decryptedCache(
    {
      blobStore: {
        ...blobStore,
        get: (digest) => {
          calls.get += 1
          return blobStore.get(digest)
        },
      },
      cipher: {
        ...cipher,
        open: (sealed, context, blobs) => {
          calls.open += 1
          return cipher.open(sealed, context, blobs)
        },
      },
    },
    limit,
  )
  const put = async (document: Uint8Array) => {
    const { sealed } = await parts.cipher.seal(document, context, { blobs: blobStore })
    return parts.blobStore.put(sealed)
  }
  const open = async (digest: Awaited<ReturnType<typeof put>>) =>
    parts.cipher.open(await parts.blobStore.get(digest), context, blobStore)
  return { calls, parts, put, open }
}

test('a cached bundle is not opened again for its reader, who needs the same context', async () => {
  const { calls, parts, put } = countingCache(limit)
  const sealed = await parts.blobStore.get(await put(new Uint8Array(2_000).fill(7)))
  const readIn = (it: SealContext) => parts.cipher.reader(sealed, it, parts.blobStore)
  for (let time = 0; time < 3; time++) {
    const reader = await readIn(context)
    expect(await reader.read(0)).toEqual(new Uint8Array(2_000).fill(7))
  }
  expect(calls.open).toBe(1)
  const registry = { ...context.registry, chainId: context.registry.chainId + 1 }
  await expect(readIn({ ...context, registry })).rejects.toMatchObject({ code: 'access/copied' })
})

test('a cached bundle is neither read nor opened again', async () => {
  const { calls, put, open } = countingCache(limit)
  const digest = await put(new Uint8Array(2_000))
  const first = await open(digest)
  expect(await open(digest)).toEqual(first)
  expect(calls).toEqual({ get: 1, open: 1 })
})

test('a bundle cached for one context is refused in another, every time', async () => {
  const { calls, parts, put, open } = countingCache(limit)
  const digest = await put(new Uint8Array(2_000))
  for (let turn = 1; turn <= 3; turn++) {
    await open(digest)
    const copy = parts.cipher.open(await parts.blobStore.get(digest), contextOf(1), parts.blobStore)
    await expect(copy).rejects.toMatchObject({ code: 'access/copied' })
    expect(calls).toEqual({ get: 1, open: 1 + turn })
  }
})

const kinds = ['put', 'open', 'open', 'open', 'remove'] as const
const action = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat(7), by: fc.nat(1) })

/** One of two contexts. */
const contextOf = (it: number): SealContext => ({
  ...context,
  creator: it % 2 === 0 ? context.creator : context.registry.address,
})

test('returns what the ports without a cache return', async () => {
  const behavesTheSame = fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
    const parts = memoryPorts()
    // So small that most entries are evicted meanwhile.
    const cached = decryptedCache(parts, 3_000)
    const bundles = await Promise.all(Array.from({ length: 8 }, (_, it) => bundleOf(parts, it)))
    const perform = {
      put: ({ sealed }: Bundle) => cached.blobStore.put(sealed),
      remove: ({ digest }: Bundle) => cached.blobStore.remove(digest),
      open: async ({ digest }: Bundle, by: number) =>
        expect(await outcomeOf(cached, digest, contextOf(by))).toEqual(
          await outcomeOf(parts, digest, contextOf(by)),
        ),
    }
    for (const { kind, which, by } of actions) await perform[kind](bundles[which] as Bundle, by)
  })
  await fc.assert(behavesTheSame, { seed: 11 })
})

type Bundle = Awaited<ReturnType<typeof bundleOf>>

async function bundleOf({ blobStore, cipher }: BundlePorts, it: number) {
  const { sealed } = await cipher.seal(new Uint8Array(200 * it).fill(it), contextOf(it), {
    blobs: blobStore,
  })
  return { sealed, digest: await blobStore.put(sealed) }
}

type Digest = Awaited<ReturnType<BundlePorts['blobStore']['put']>>

/** Returns the opened bundle, or the code of the failure. */
async function outcomeOf({ blobStore, cipher }: BundlePorts, digest: Digest, context: SealContext) {
  try {
    return await cipher.open(await blobStore.get(digest), context, blobStore)
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

describe('caches bundles of up to 64 KiB, sealed and opened', () => {
  test.each([
    ['neither of one that is too long sealed', limit, randomBytes(65_500), { get: 3, open: 3 }],
    ['not the document of one that is too long opened', limit, Buffer.alloc(65_537), sealedOnly],
    ['both of one that is not', limit, Buffer.alloc(65_536), { get: 1, open: 1 }],
    ['neither with a limit of 0', 0, Buffer.alloc(2_000), { get: 3, open: 3 }],
  ])('%s', async (_, limit, document, expected) => {
    const cipher = naclCipher({ keys: sealingKeyRing([randomBytes(32)]), documentLimit: 2 ** 20 })
    const { calls, put, open } = countingCache(limit, { ...memoryPorts(), cipher })
    const digest = await put(document)
    for (let turn = 0; turn < 3; turn++) await open(digest)
    expect(calls).toEqual(expected)
  })
})

test('tries again to open a bundle that could not be opened', async () => {
  const { calls, parts, open } = countingCache(limit)
  const digest = await parts.blobStore.put(Uint8Array.of(1, 2, 3))
  for (let turn = 0; turn < 2; turn++)
    await expect(open(digest)).rejects.toMatchObject({ code: 'bundle/unreadable' })
  expect(calls.open).toBe(2)
})

test('opens equal bytes from the cache, also after another read of them', async () => {
  const { calls, parts, put } = countingCache(limit)
  const sealed = await parts.blobStore.get(await put(new Uint8Array(2_000)))
  for (let turn = 0; turn < 3; turn++)
    await parts.cipher.open(Uint8Array.from(sealed), context, parts.blobStore)
  expect(calls.open).toBe(1)
})

test('holds no more than its limit', async () => {
  const { calls, put, open } = countingCache(100_000)
  const digests = []
  for (let it = 0; it < 40; it++) digests.push(await put(randomBytes(4_000)))
  for (const digest of digests) await open(digest)
  const { open: before } = calls
  for (const digest of digests.toReversed()) await open(digest)
  const cached = digests.length - (calls.open - before)
  // Each takes a little over 8,000 bytes, sealed and opened.
  expect(cached).toBeLessThan(13)
  expect(cached).toBeGreaterThan(3)
})
