import { arbitraryCard } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bundle,
  failsWith,
  memoryFixture,
  recordingBlobStore,
  unknown,
} from '../../../../test/harness/memory-fixture.ts'
import { decodeCard } from '../bundles/card.ts'
import { Failure } from '../failure.ts'
import type { Ports } from '../ports/ports.ts'
import { nobody, salt, storageUri } from '../values/hex.ts'
import { toSeconds } from '../values/time.ts'
import { download } from './download.ts'
import { proveCreator } from './prove-creator.ts'
import { readSalt } from './read-sealed.ts'
import { seal } from './seal.ts'

/** Returns a fixture whose agent may not write, and a wallet that mints itself. */
function sealFixture() {
  const { ports: all, author, stranger, world, prove } = memoryFixture()
  const { blobStore, kept } = recordingBlobStore(all.blobStore)
  const mint = () =>
    Promise.reject(new Error('the agent mints nothing that it sealed for a wallet'))
  const ports: Ports = { ...all, blobStore, ledger: { ...author.ledger, mint } }
  const creator = stranger.ledger.agent
  return { ports, kept, author, stranger, creator, world, prove }
}

describe('seal', () => {
  test('stores a memory that opens once its creator minted it, and for no other minter', async () => {
    const { ports, stranger, author, creator, prove } = sealFixture()
    const { contentHash, digest, recipient, parent } = await seal(ports, { bundle, creator })
    expect([recipient, parent]).toEqual([creator, undefined])
    const pair = { contentHash, digest, parent }
    const copy = await author.ledger.mint({ ...pair, recipient: author.ledger.agent })
    const own = await stranger.ledger.mint({ ...pair, recipient })
    const proof = await prove(own.tokenId, { by: stranger })
    const opened = await download(ports, { tokenId: own.tokenId, proof })
    expect(opened.contentHash).toBe(contentHash)
    const copiers = await prove(copy.tokenId, { by: author })
    await expect(download(ports, { tokenId: copy.tokenId, proof: copiers })).rejects.toEqual(
      failsWith('access/copied', {
        chainId: ports.ledger.registry.chainId,
        registry: ports.ledger.registry.address,
        creator,
      }),
    )
  })

  test('returns what the creator mints, with the card that it stored', () =>
    fc.assert(
      fc.asyncProperty(fc.option(arbitraryCard, { nil: undefined }), async (card) => {
        const { ports, kept, creator, author } = sealFixture()
        const recipient = author.ledger.agent
        const sealed = await seal(ports, { bundle, card, creator, recipient })
        expect(sealed).toMatchObject({ creator, recipient, registry: ports.ledger.registry })
        expect(sealed.storageUri).toBe(storageUri(sealed.digest))
        expect([...kept]).toEqual([sealed.digest, sealed.card].filter((it) => it !== undefined))
        if (sealed.card === undefined) return
        const { contentHash } = decodeCard(await ports.blobStore.get(sealed.card)) ?? {}
        expect(contentHash).toBe(sealed.contentHash)
      }),
      { numRuns: 20 },
    ))

  test('refuses an unknown parent and nobody as recipient before it stores anything', async () => {
    const { ports, kept, creator } = sealFixture()
    await expect(seal(ports, { bundle, creator, parent: unknown })).rejects.toEqual(
      failsWith('token/not-found', { tokenId: unknown }),
    )
    const refused = failsWith('recipient/invalid')
    await expect(seal(ports, { bundle, creator, recipient: nobody })).rejects.toEqual(refused)
    await expect(seal(ports, { bundle, creator: nobody })).rejects.toEqual(refused)
    expect(kept.size).toBe(0)
  })

  test('stores nothing when it is refused before storing, and reports the number of bytes', async () => {
    const { ports, kept, creator } = sealFixture()
    let announced = 0
    const beforeStoring = async (bytes: number) => {
      announced = bytes
      throw new Failure('seal/no-room', { limit: 1, retryAfterSeconds: 1 })
    }
    await expect(seal(ports, { bundle, creator, beforeStoring })).rejects.toEqual(
      failsWith('seal/no-room'),
    )
    expect([announced > 0, kept.size]).toEqual([true, 0])
  })

  test('stores both blobs or neither', async () => {
    const { ports, kept, creator } = sealFixture()
    let puts = 0
    const put: Ports['blobStore']['put'] = (bytes, headLength) => {
      puts += 1
      if (puts === 2) throw new Failure('blob/unavailable', { operation: 'store a blob' })
      return ports.blobStore.put(bytes, headLength)
    }
    const failing = {
      ...ports,
      blobStore: { ...ports.blobStore, put: async (...all: Parameters<typeof put>) => put(...all) },
    }
    const card = { title: 'A memory' }
    await expect(seal(failing, { bundle, creator, card })).rejects.toEqual(
      failsWith('blob/unavailable'),
    )
    expect([puts, kept.size]).toEqual([2, 0])
  })
})

describe('readSalt', () => {
  test('reads the salt that makes the content hash, for the creator alone', async () => {
    const { ports, creator, author } = sealFixture()
    const given = salt(`0x${'5a'.repeat(32)}`)
    const { digest } = await seal(ports, { bundle, creator, salt: given })
    expect(await readSalt(ports, { digest, creator })).toBe(given)
    const another = readSalt(ports, { digest, creator: author.ledger.agent })
    await expect(another).rejects.toEqual(failsWith('access/copied'))
  })
})

describe('proveCreator', () => {
  const message = 'heirloom:seal:…'

  test('accepts the own signature of a creator within 120 seconds', async () => {
    const { ports, stranger, author, creator, world } = sealFixture()
    const timestamp = toSeconds(world.now())
    const proof = { account: creator, message, signature: await stranger.sign(message) }
    for (const seconds of [-120, 0, 120]) {
      await proveCreator(ports, { ...proof, timestamp: timestamp + seconds })
    }
    for (const seconds of [-121, 121, 0.5]) {
      const late = proveCreator(ports, { ...proof, timestamp: timestamp + seconds })
      await expect(late).rejects.toEqual(failsWith('proof/stale'))
    }
    const lies = [{ signature: await author.sign(message) }, { message: 'other' }]
    for (const lie of lies) {
      const refused = proveCreator(ports, { ...proof, timestamp, ...lie })
      await expect(refused).rejects.toEqual(failsWith('proof/not-signed', { account: creator }))
    }
  })

  test('asks the contract of a creator that has code', async () => {
    const { ports, stranger, author, world } = sealFixture()
    const account = await world.sharedWallet([author, stranger])
    const timestamp = toSeconds(world.now())
    const signatures = await Promise.all([author, stranger].map(({ sign }) => sign(message)))
    const [one = '0x', two = '0x'] = signatures
    const ordered =
      author.ledger.agent.toLowerCase() < stranger.ledger.agent.toLowerCase()
        ? ([one, two] as const)
        : ([two, one] as const)
    const signature = `0x${ordered.map((it) => it.slice(2)).join('')}` as const
    await proveCreator(ports, { account, message, timestamp, signature })
    await expect(
      proveCreator(ports, { account, message, timestamp, signature: one }),
    ).rejects.toEqual(failsWith('proof/not-signed'))
  })
})
