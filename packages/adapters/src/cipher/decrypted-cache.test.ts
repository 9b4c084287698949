import { randomBytes } from 'node:crypto'
import { Failure, type SealContext } from '@heirloom/core'
import { blobStoreLaws, cipherLaws, memoryBlobStore, memoryCipher } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { context } from './test/bound-cipher.ts'
import { type BundlePorts, decryptedCache } from './decrypted-cache.ts'

const most = 2 ** 20
const bare = (): BundlePorts => ({ blobStore: memoryBlobStore(), cipher: memoryCipher() })

describeLaws('a blob store of what was opened lately', blobStoreLaws, {
  open: async () => decryptedCache(bare(), most).blobStore,
})
describeLaws('a cipher of what was opened lately', cipherLaws, {
  open: async () => decryptedCache(bare(), most).cipher,
})

/** What is kept, and how often the parts below were asked for something. */
function counted(most: number, { blobStore, cipher }: BundlePorts = bare()) {
  const asked = { get: 0, open: 0 }
  const parts = decryptedCache(
    {
      blobStore: {
        ...blobStore,
        get: (digest) => {
          asked.get += 1
          return blobStore.get(digest)
        },
      },
      cipher: {
        ...cipher,
        open: (sealed, context) => {
          asked.open += 1
          return cipher.open(sealed, context)
        },
      },
    },
    most,
  )
  const put = async (document: Uint8Array) => {
    const { sealed } = await parts.cipher.seal(document, context)
    return parts.blobStore.put(sealed)
  }
  const open = async (digest: Awaited<ReturnType<typeof put>>) =>
    parts.cipher.open(await parts.blobStore.get(digest), context)
  return { asked, parts, put, open }
}

test('what was opened is neither read nor opened again', async () => {
  const { asked, put, open } = counted(most)
  const digest = await put(new Uint8Array(2_000))
  const first = await open(digest)
  expect(await open(digest)).toEqual(first)
  expect(asked).toEqual({ get: 1, open: 1 })
})

test('what was opened in one context is refused in another, as often as it is asked', async () => {
  const { asked, parts, put, open } = counted(most)
  const digest = await put(new Uint8Array(2_000))
  for (let turn = 1; turn <= 3; turn++) {
    await open(digest)
    const copy = parts.cipher.open(await parts.blobStore.get(digest), contextOf(1))
    await expect(copy).rejects.toMatchObject({ code: 'access/copied' })
    expect(asked).toEqual({ get: 1, open: 1 + turn })
  }
})

const kinds = ['put', 'open', 'open', 'open', 'remove'] as const
const act = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat(7), by: fc.nat(1) })

/** One of two contexts. */
const contextOf = (it: number): SealContext => ({
  ...context,
  creator: it % 2 === 0 ? context.creator : context.registry.address,
})

test('whatever is done, what comes back is what the parts alone give', async () => {
  const plays = fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
    const parts = bare()
    // So little that most of it is forgotten in between.
    const kept = decryptedCache(parts, 3_000)
    const bundles = await Promise.all(Array.from({ length: 8 }, (_, it) => bundleOf(parts, it)))
    const done = {
      put: ({ sealed }: Bundle) => kept.blobStore.put(sealed),
      remove: ({ digest }: Bundle) => kept.blobStore.remove(digest),
      open: async ({ digest }: Bundle, by: number) =>
        expect(await openedBy(kept, digest, contextOf(by))).toEqual(
          await openedBy(parts, digest, contextOf(by)),
        ),
    }
    for (const { kind, which, by } of acts) await done[kind](bundles[which] as Bundle, by)
  })
  await fc.assert(plays, { seed: 11 })
})

type Bundle = Awaited<ReturnType<typeof bundleOf>>

async function bundleOf({ blobStore, cipher }: BundlePorts, it: number) {
  const { sealed } = await cipher.seal(new Uint8Array(200 * it).fill(it), contextOf(it))
  return { sealed, digest: await blobStore.put(sealed) }
}

type Digest = Awaited<ReturnType<BundlePorts['blobStore']['put']>>

/** Returns what opens, or the code of the failure. */
async function openedBy({ blobStore, cipher }: BundlePorts, digest: Digest, context: SealContext) {
  try {
    return await cipher.open(await blobStore.get(digest), context)
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

describe('nothing is kept', () => {
  test.each([
    ['of a bundle that is long when it is opened', most, Buffer.alloc(65_537)],
    ['of a bundle that is long while it is sealed', most, randomBytes(65_500)],
    ['where nothing may be', 0, Buffer.alloc(2_000)],
  ])('%s', async (_, most, document) => {
    const cipher = naclCipher({ keys: sealingKeyRing([randomBytes(32)]), documentLimit: 2 ** 20 })
    const { asked, put, open } = counted(most, { ...bare(), cipher })
    const digest = await put(document)
    for (let turn = 0; turn < 3; turn++) await open(digest)
    expect(asked).toEqual({ get: 3, open: 3 })
  })

  test('of what could not be opened', async () => {
    const { asked, parts, open } = counted(most)
    const digest = await parts.blobStore.put(Uint8Array.of(1, 2, 3))
    for (let turn = 0; turn < 2; turn++)
      await expect(open(digest)).rejects.toMatchObject({ code: 'bundle/unreadable' })
    expect(asked).toEqual({ get: 2, open: 2 })
  })
})

test('no more is kept than it was told', async () => {
  const { asked, put, open } = counted(100_000)
  const digests = []
  for (let it = 0; it < 40; it++) digests.push(await put(randomBytes(4_000)))
  for (const digest of digests) await open(digest)
  const { open: before } = asked
  for (const digest of digests.toReversed()) await open(digest)
  const kept = digests.length - (asked.open - before)
  // Each takes a little over 8,000 bytes, sealed and opened.
  expect(kept).toBeLessThan(13)
  expect(kept).toBeGreaterThan(3)
})
