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
import type { Digest } from '../values/branded.ts'
import { tokenId, wei } from '../values/decimal.ts'
import { nobody, salt, storageUri } from '../values/hex.ts'
import { download } from './download.ts'
import { snapshot } from './snapshot.ts'

describe('snapshot', () => {
  test('has a parent and belongs to the recipient', async () => {
    const { ports, author, stranger } = memoryFixture()
    const { tokenId: parent } = await snapshot(ports, { bundle })
    const recipient = stranger.ledger.agent
    const { tokenId: child } = await snapshot(ports, { bundle, parent, recipient })
    expect(await author.ledger.provenance(child)).toMatchObject({
      parent,
      creator: author.ledger.agent,
    })
    expect((await author.ledger.access(child, recipient))?.owner).toBe(recipient)
  })

  test('stores the sealed bundle before it mints', async () => {
    const { ports } = memoryFixture()
    const stored = new Set<Digest>()
    const put: Ports['blobStore']['put'] = async (bytes, headLength) => {
      const name = await ports.blobStore.put(bytes, headLength)
      stored.add(name)
      return name
    }
    const mint: Ports['ledger']['mint'] = (token) => {
      expect(stored.has(token.digest)).toBe(true)
      return ports.ledger.mint(token)
    }
    const recordingBlobStore = {
      ...ports,
      blobStore: { ...ports.blobStore, put },
      ledger: { ...ports.ledger, mint },
    }
    await snapshot(recordingBlobStore, { bundle })
    expect(stored.size).toBe(1)
  })

  test('refuses an unknown parent with `token/not-found` before it stores anything', async () => {
    const { ports } = memoryFixture()
    const put = () => Promise.reject(new Error('nothing may be stored'))
    const blobStore = { ...ports.blobStore, put }
    await expect(snapshot({ ...ports, blobStore }, { bundle, parent: unknown })).rejects.toEqual(
      failsWith('token/not-found', { tokenId: unknown }),
    )
  })

  test('fails with `bundle/malformed` and `recipient/invalid`', async () => {
    const { ports } = memoryFixture()
    const nameless = { data: {}, metadata: { category: '' } }
    await expect(snapshot(ports, { bundle: nameless })).rejects.toEqual(
      failsWith('bundle/malformed'),
    )
    await expect(snapshot(ports, { bundle, recipient: nobody })).rejects.toEqual(
      failsWith('recipient/invalid'),
    )
  })
})

describe('snapshot with an idempotency key', () => {
  const idempotency = { key: 'k', fingerprint: 'f' }

  test('returns the first result again for any later input', async () => {
    const { world: harness, ports, author } = memoryFixture()
    const first = await snapshot(ports, { bundle, idempotency })
    await harness.wait(5000)
    let seals = 0
    const seal: Ports['cipher']['seal'] = (document, context, options) => {
      seals++
      return ports.cipher.seal(document, context, options)
    }
    const later = { ...ports, cipher: { ...ports.cipher, seal } }
    expect(await snapshot(later, { bundle, idempotency })).toEqual(first)
    const malformed = { data: 1, metadata: {} } as never
    expect(await snapshot(later, { bundle: malformed, parent: unknown, idempotency })).toEqual(
      first,
    )
    expect(seals).toBe(0)
    expect(await author.ledger.provenance(tokenId(2n))).toBe(undefined)
  })

  test('mints once and stores one bundle for two concurrent requests', async () => {
    const { ports, prove, author } = memoryFixture()
    const { blobStore, kept } = recordingBlobStore(ports.blobStore)
    const take = () => snapshot({ ...ports, blobStore }, { bundle, idempotency })
    const [one, other] = await Promise.all([take(), take()])
    expect(one).toEqual(other)
    expect(await author.ledger.provenance(tokenId(2n))).toBe(undefined)
    expect([...kept].map(storageUri)).toEqual([one.storageUri])
    const proof = await prove(one.tokenId)
    expect((await download(ports, { tokenId: one.tokenId, proof })).contentHash).toBe(
      one.contentHash,
    )
  })

  test('refuses the key for another bundle, and stores nothing of it', async () => {
    const { ports } = memoryFixture()
    const { blobStore, kept } = recordingBlobStore(ports.blobStore)
    const take = (fingerprint: string) =>
      snapshot({ ...ports, blobStore }, { bundle, idempotency: { key: 'k', fingerprint } })
    const results = await Promise.allSettled([take('f'), take('g')])
    expect(results).toEqual([
      expect.objectContaining({ status: 'fulfilled' }),
      expect.objectContaining({ reason: failsWith('idempotency/key-reused') }),
    ])
    expect(kept.size).toBe(1)
    await expect(take('g')).rejects.toEqual(failsWith('idempotency/key-reused'))
  })
})

describe('snapshot with a card', () => {
  const card = { title: 'A calm trader', tags: ['btc'] }
  const idempotency = { key: 'k', fingerprint: 'f' }

  test('stores the card with the content hash before it mints', () =>
    fc.assert(
      fc.asyncProperty(arbitraryCard, async (shown) => {
        const { ports } = memoryFixture()
        const { blobStore, kept } = recordingBlobStore(ports.blobStore)
        const mint: Ports['ledger']['mint'] = (token) => {
          expect([...kept]).toEqual([token.digest, token.card])
          return ports.ledger.mint(token)
        }
        const ledger = { ...ports.ledger, mint }
        const input = { bundle, card: shown }
        const { contentHash } = await snapshot({ ...ports, blobStore, ledger }, input)
        const [, block] = await Promise.all([...kept].map((name) => blobStore.get(name)))
        expect(block && decodeCard(block)).toEqual({ card: shown, contentHash })
      }),
      { numRuns: 20 },
    ))

  test('refuses a misleading card with `card/malformed` before it seals anything', async () => {
    const { ports } = memoryFixture()
    const seal = () => Promise.reject(new Error('nothing may be sealed'))
    const input = { bundle, card: { title: '\u202egpj.exe' } }
    await expect(snapshot({ ...ports, cipher: { ...ports.cipher, seal } }, input)).rejects.toEqual(
      failsWith('card/malformed'),
    )
  })

  test('stores one bundle and one card for two concurrent requests', async () => {
    const { ports } = memoryFixture()
    const { blobStore, kept } = recordingBlobStore(ports.blobStore)
    const take = () => snapshot({ ...ports, blobStore }, { bundle, card, idempotency })
    const [one, other] = await Promise.all([take(), take()])
    expect(one).toEqual(other)
    expect(kept.size).toBe(2)
    const [, block] = await Promise.all([...kept].map((name) => blobStore.get(name)))
    expect(block && decodeCard(block)?.contentHash).toBe(one.contentHash)
  })

  test('removes the bundle when its card cannot be stored', async () => {
    const { ports } = memoryFixture()
    const { blobStore, kept } = recordingBlobStore(ports.blobStore)
    const full = new Failure('blob/unavailable', { operation: 'store a blob' })
    const put = (bytes: Uint8Array) => {
      return decodeCard(bytes) === undefined ? blobStore.put(bytes) : Promise.reject(full)
    }
    const stubborn = { ...ports, blobStore: { ...blobStore, put } }
    await expect(snapshot(stubborn, { bundle, card })).rejects.toBe(full)
    expect(kept.size).toBe(0)
  })
})

describe('a bundle whose token was not minted', () => {
  const failing = (error: unknown) => {
    const { ports } = memoryFixture()
    const { blobStore, kept } = recordingBlobStore(ports.blobStore)
    const ledger = { ...ports.ledger, mint: () => Promise.reject(error) }
    return { ports: { ...ports, blobStore, ledger }, kept }
  }
  const txHash = `0x${'ab'.repeat(32)}` as const

  test.each([
    new Failure('wallet/call-limit', { needed: wei(2n), limit: wei(1n) }),
    new Failure('ledger/unavailable', { operation: 'mint' }),
  ])('is removed after $code', async (failure) => {
    const { ports, kept } = failing(failure)
    await expect(snapshot(ports, { bundle })).rejects.toBe(failure)
    await expect(snapshot(ports, { bundle, card: { title: 'a' } })).rejects.toBe(failure)
    expect(kept.size).toBe(0)
  })

  test('leaves its card under a given salt, which the token of another memory may name', async () => {
    const failure = new Failure('ledger/unavailable', { operation: 'mint' })
    const { ports, kept } = failing(failure)
    const given = { salt: salt(`0x${'5a'.repeat(32)}`), card: { title: 'a' } }
    await expect(snapshot(ports, { bundle, ...given })).rejects.toBe(failure)
    const [block, ...others] = await Promise.all([...kept].map((it) => ports.blobStore.get(it)))
    expect(block && decodeCard(block)?.card).toEqual(given.card)
    expect(others).toEqual([])
  })

  test.each([
    new Failure('transaction/cancelled', { txHash }),
    new Failure('transaction/reverted', { txHash }),
    new Failure('transaction/unconfirmed', { txHash }),
    new Failure('transaction/unknown', {}),
    new Error('an unknown error'),
  ])('stays stored after %s', async (error) => {
    const { ports, kept } = failing(error)
    await expect(snapshot(ports, { bundle, card: { title: 'a' } })).rejects.toBe(error)
    expect(kept.size).toBe(2)
  })

  test('does not hide the failure when it cannot be removed', async () => {
    const failure = new Failure('wallet/call-limit', { needed: wei(2n), limit: wei(1n) })
    const { ports } = failing(failure)
    const remove = () => Promise.reject(new Failure('blob/unavailable', { operation: 'remove' }))
    const stubborn = { ...ports, blobStore: { ...ports.blobStore, remove } }
    const shown = { bundle, card: { title: 'a' } }
    await expect(snapshot(stubborn, shown)).rejects.toBe(failure)

    const sound = memoryFixture()
    const blobStore = { ...sound.ports.blobStore, remove }
    const idempotency = { key: 'k', fingerprint: 'f' }
    const take = () => snapshot({ ...sound.ports, blobStore }, { bundle, idempotency })
    const [one, other] = await Promise.all([take(), take()])
    expect(one).toEqual(other)
  })
})
