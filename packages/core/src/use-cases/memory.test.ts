import {
  arbitraryBundleText,
  arbitraryCard,
  memoryBlobStore,
  memoryCipher,
  memoryWorld,
  type Party,
} from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nobody } from '../domain/account.ts'
import { readCard } from '../domain/card.ts'
import { type Digest, digest, hash, storageUri } from '../domain/hash.ts'
import { wei } from '../domain/money.ts'
import { challenge } from '../domain/proof.ts'
import { toSeconds } from '../domain/time.ts'
import { type TokenId, tokenId } from '../domain/token.ts'
import { Failure } from '../failure.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Ports } from '../ports/ports.ts'
import { download } from './download.ts'
import { snapshot } from './snapshot.ts'

const bundle = { data: { goal: 'learn' }, metadata: { category: 'research' } }
const unknown = tokenId(99n)

/** Who claims, who really signs, and how far from now it is dated. */
type Flaws = { readonly by?: Party; readonly signer?: Party; readonly seconds?: number }

/** A world, the ports of its first two parties, and proofs. */
function scene() {
  const world = memoryWorld()
  const shared = {
    blobStore: memoryBlobStore(),
    cipher: memoryCipher(),
    clock: { now: world.now },
  }
  const [author, stranger] = world.parties
  if (author === undefined || stranger === undefined) throw new RangeError('there are parties')
  const ports: Ports = { ...shared, ledger: author.ledger }
  const prove = async (id: TokenId, flaws: Flaws = {}) => {
    const { by = author, signer = by, seconds = 0 } = flaws
    const claim = { account: by.ledger.agent, timestamp: toSeconds(world.now()) + seconds }
    return { ...claim, signature: await signer.sign(challenge(id, claim)) }
  }
  return { world, author, stranger, ports, prove }
}

/** A store, and the digests of what it keeps. */
function watched(inner: BlobStore) {
  const kept = new Set<Digest>()
  const blobStore: BlobStore = {
    ...inner,
    put: async (bytes) => {
      const name = await inner.put(bytes)
      kept.add(name)
      return name
    },
    remove: async (name) => {
      await inner.remove(name)
      kept.delete(name)
    },
  }
  return { blobStore, kept }
}

const failsWith = (code: string, facts?: object) =>
  expect.objectContaining(facts === undefined ? { code } : { code, facts })

describe('snapshot and download', () => {
  test('give back what was taken', async () => {
    const { world, ports, prove, author } = scene()
    const minted = await snapshot(ports, { bundle })
    expect(minted.tokenId).toBe(1n)
    expect(minted.timestamp).toBe(world.now())
    expect(minted.storageUri).toMatch(/^v2:ipfs:\/\/0x[0-9a-f]{64}$/)
    const opened = await download(ports, {
      tokenId: minted.tokenId,
      proof: await prove(tokenId(1n)),
    })
    expect(new TextDecoder().decode(opened.document)).toBe(JSON.stringify(bundle))
    expect(opened.contentHash).toBe(minted.contentHash)
    const record = await author.ledger.provenance(minted.tokenId)
    expect(record).toMatchObject({ parent: undefined, contentHash: minted.contentHash })
  })

  test('give back every document byte for byte', () =>
    fc.assert(
      fc.asyncProperty(arbitraryBundleText, async ({ text, document }) => {
        const { ports, prove } = scene()
        const input = { bundle: new TextEncoder().encode(text) }
        const { tokenId: id } = await snapshot(ports, input)
        const opened = await download(ports, { tokenId: id, proof: await prove(id) })
        expect(new TextDecoder().decode(opened.document)).toBe(document)
      }),
      { numRuns: 30 },
    ))
})

describe('snapshot', () => {
  test('grows from a parent and belongs to the recipient', async () => {
    const { ports, author, stranger } = scene()
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
    const { ports } = scene()
    const kept = new Set<Digest>()
    const put = async (bytes: Uint8Array) => {
      const name = await ports.blobStore.put(bytes)
      kept.add(name)
      return name
    }
    const mint: Ports['ledger']['mint'] = (token) => {
      expect(kept.has(token.digest)).toBe(true)
      return ports.ledger.mint(token)
    }
    const watched = {
      ...ports,
      blobStore: { ...ports.blobStore, put },
      ledger: { ...ports.ledger, mint },
    }
    await snapshot(watched, { bundle })
    expect(kept.size).toBe(1)
  })

  test('refuses an unknown parent with `token/not-found` before it stores anything', async () => {
    const { ports } = scene()
    const put = () => Promise.reject(new Error('nothing may be stored'))
    const blobStore = { ...ports.blobStore, put }
    await expect(snapshot({ ...ports, blobStore }, { bundle, parent: unknown })).rejects.toEqual(
      failsWith('token/not-found', { tokenId: unknown }),
    )
  })

  test('refuses `bundle/malformed` and `recipient/invalid`', async () => {
    const { ports } = scene()
    const nameless = { data: {}, metadata: { category: '' } }
    await expect(snapshot(ports, { bundle: nameless })).rejects.toEqual(
      failsWith('bundle/malformed'),
    )
    await expect(snapshot(ports, { bundle, recipient: nobody })).rejects.toEqual(
      failsWith('recipient/invalid'),
    )
  })
})

describe('snapshot under a key', () => {
  const idempotency = { key: 'k', fingerprint: 'f' }

  test('gives the first result again, whatever else is true by then', async () => {
    const { world, ports, author } = scene()
    const first = await snapshot(ports, { bundle, idempotency })
    await world.wait(5000)
    let seals = 0
    const seal = (document: Uint8Array) => {
      seals++
      return ports.cipher.seal(document)
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

  test('mints once when it comes twice at once, and keeps one bundle', async () => {
    const { ports, prove, author } = scene()
    const { blobStore, kept } = watched(ports.blobStore)
    const ask = () => snapshot({ ...ports, blobStore }, { bundle, idempotency })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one).toEqual(other)
    expect(await author.ledger.provenance(tokenId(2n))).toBe(undefined)
    expect([...kept].map(storageUri)).toEqual([one.storageUri])
    const proof = await prove(one.tokenId)
    expect((await download(ports, { tokenId: one.tokenId, proof })).contentHash).toBe(
      one.contentHash,
    )
  })

  test('refuses the key for another bundle, and keeps none of it', async () => {
    const { ports } = scene()
    const { blobStore, kept } = watched(ports.blobStore)
    const ask = (fingerprint: string) =>
      snapshot({ ...ports, blobStore }, { bundle, idempotency: { key: 'k', fingerprint } })
    const results = await Promise.allSettled([ask('f'), ask('g')])
    expect(results).toEqual([
      expect.objectContaining({ status: 'fulfilled' }),
      expect.objectContaining({ reason: failsWith('idempotency/key-reused') }),
    ])
    expect(kept.size).toBe(1)
    await expect(ask('g')).rejects.toEqual(failsWith('idempotency/key-reused'))
  })
})

describe('snapshot with a card', () => {
  const card = { title: 'A calm trader', tags: ['btc'] }
  const idempotency = { key: 'k', fingerprint: 'f' }

  test('stores it in the open before it mints, and names it with its memory', () =>
    fc.assert(
      fc.asyncProperty(arbitraryCard, async (shown) => {
        const { ports } = scene()
        const { blobStore, kept } = watched(ports.blobStore)
        const mint: Ports['ledger']['mint'] = (token) => {
          expect([...kept]).toEqual([token.digest, token.card])
          return ports.ledger.mint(token)
        }
        const ledger = { ...ports.ledger, mint }
        const input = { bundle, card: shown }
        const { contentHash } = await snapshot({ ...ports, blobStore, ledger }, input)
        const [, block] = await Promise.all([...kept].map((name) => blobStore.get(name)))
        expect(block && readCard(block)).toEqual({ card: shown, contentHash })
      }),
      { numRuns: 20 },
    ))

  test('refuses one that could mislead with `card/malformed` before it seals anything', async () => {
    const { ports } = scene()
    const seal = () => Promise.reject(new Error('nothing may be sealed'))
    const input = { bundle, card: { title: '\u202egpj.exe' } }
    await expect(snapshot({ ...ports, cipher: { ...ports.cipher, seal } }, input)).rejects.toEqual(
      failsWith('card/malformed'),
    )
  })

  test('keeps one bundle and one card when it comes twice at once', async () => {
    const { ports } = scene()
    const { blobStore, kept } = watched(ports.blobStore)
    const ask = () => snapshot({ ...ports, blobStore }, { bundle, card, idempotency })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one).toEqual(other)
    expect(kept.size).toBe(2)
    const [, block] = await Promise.all([...kept].map((name) => blobStore.get(name)))
    expect(block && readCard(block)?.contentHash).toBe(one.contentHash)
  })

  test('keeps no bundle whose card could not be stored', async () => {
    const { ports } = scene()
    const { blobStore, kept } = watched(ports.blobStore)
    const full = new Failure('blob/unavailable', { operation: 'store a blob' })
    const put = (bytes: Uint8Array) => {
      return readCard(bytes) === undefined ? blobStore.put(bytes) : Promise.reject(full)
    }
    const stubborn = { ...ports, blobStore: { ...blobStore, put } }
    await expect(snapshot(stubborn, { bundle, card })).rejects.toBe(full)
    expect(kept.size).toBe(0)
  })
})

describe('a bundle whose token was not minted', () => {
  const failing = (error: unknown) => {
    const { ports } = scene()
    const { blobStore, kept } = watched(ports.blobStore)
    const ledger = { ...ports.ledger, mint: () => Promise.reject(error) }
    return { ports: { ...ports, blobStore, ledger }, kept }
  }
  const txHash = `0x${'ab'.repeat(32)}` as const

  test.each([
    new Failure('transaction/cancelled', { txHash }),
    new Failure('transaction/reverted', { txHash }),
    new Failure('ledger/unavailable', { operation: 'mint' }),
  ])('is removed after $code', async (failure) => {
    const { ports, kept } = failing(failure)
    await expect(snapshot(ports, { bundle })).rejects.toBe(failure)
    await expect(snapshot(ports, { bundle, card: { title: 'a' } })).rejects.toBe(failure)
    expect(kept.size).toBe(0)
  })

  test.each([
    new Failure('transaction/unconfirmed', { txHash }),
    new Failure('transaction/unknown', {}),
    new Error('who knows'),
  ])('is kept after %s', async (error) => {
    const { ports, kept } = failing(error)
    await expect(snapshot(ports, { bundle, card: { title: 'a' } })).rejects.toBe(error)
    expect(kept.size).toBe(2)
  })

  test('hides nothing when it cannot be removed', async () => {
    const failure = new Failure('wallet/call-limit', { needed: wei(2n), limit: wei(1n) })
    const { ports } = failing(failure)
    const remove = () => Promise.reject(new Failure('blob/unavailable', { operation: 'remove' }))
    const stubborn = { ...ports, blobStore: { ...ports.blobStore, remove } }
    const shown = { bundle, card: { title: 'a' } }
    await expect(snapshot(stubborn, shown)).rejects.toBe(failure)

    const sound = scene()
    const blobStore = { ...sound.ports.blobStore, remove }
    const idempotency = { key: 'k', fingerprint: 'f' }
    const ask = () => snapshot({ ...sound.ports, blobStore }, { bundle, idempotency })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one).toEqual(other)
  })
})

describe('download', () => {
  test('refuses in order: the proof, the token, the right', async () => {
    const { ports, prove, stranger, author } = scene()
    const { tokenId: id } = await snapshot(ports, { bundle })
    const forged = await prove(unknown, { by: author, signer: stranger })
    const stale = { ...forged, timestamp: forged.timestamp - 121 }
    const ask = (token: TokenId, proof: typeof forged) => download(ports, { tokenId: token, proof })
    await expect(ask(unknown, stale)).rejects.toEqual(failsWith('proof/stale'))
    await expect(ask(unknown, forged)).rejects.toEqual(
      failsWith('proof/not-signed', { account: author.ledger.agent }),
    )
    await expect(ask(unknown, await prove(unknown))).rejects.toEqual(failsWith('token/not-found'))
    await expect(ask(id, await prove(id, { by: stranger }))).rejects.toEqual(
      failsWith('access/denied', { tokenId: id, account: stranger.ledger.agent }),
    )
  })

  test('takes no proof of one token for another', async () => {
    const { ports, prove } = scene()
    const { tokenId: id } = await snapshot(ports, { bundle })
    const { tokenId: other } = await snapshot(ports, { bundle })
    await expect(download(ports, { tokenId: other, proof: await prove(id) })).rejects.toEqual(
      failsWith('proof/not-signed'),
    )
  })

  test('takes a proof 120 seconds old or early, and none older or earlier', async () => {
    const { ports, prove } = scene()
    const { tokenId: id } = await snapshot(ports, { bundle })
    for (const seconds of [-120, -119, 119, 120]) {
      const proof = await prove(id, { seconds })
      await expect(download(ports, { tokenId: id, proof })).resolves.toBeDefined()
    }
    for (const seconds of [-121, 121]) {
      const proof = await prove(id, { seconds })
      await expect(download(ports, { tokenId: id, proof })).rejects.toEqual(
        failsWith('proof/stale'),
      )
    }
  })

  test('looks into no bundle for who may not open it', async () => {
    const { ports, prove, stranger } = scene()
    const { tokenId: id } = await snapshot(ports, { bundle })
    const get = () => Promise.reject(new Error('nothing may be read'))
    const proof = await prove(id, { by: stranger })
    const guarded = { ...ports, blobStore: { ...ports.blobStore, get } }
    await expect(download(guarded, { tokenId: id, proof })).rejects.toEqual(
      failsWith('access/denied'),
    )
  })

  test('refuses a document other than the chain records with `bundle/altered`', async () => {
    const { ports, prove, author } = scene()
    const { sealed, contentHash } = await ports.cipher.seal(new Uint8Array(3))
    const recorded = {
      contentHash: hash(`0x${'1'.repeat(64)}`),
      digest: await ports.blobStore.put(sealed),
      parent: undefined,
      recipient: author.ledger.agent,
    }
    const { tokenId: id } = await ports.ledger.mint(recorded)
    await expect(download(ports, { tokenId: id, proof: await prove(id) })).rejects.toEqual(
      failsWith('bundle/altered', { expected: recorded.contentHash, actual: contentHash }),
    )
  })

  test('refuses `blob/not-found` and `bundle/unreadable`', async () => {
    const { ports, prove, author } = scene()
    const token = { contentHash: hash(`0x${'1'.repeat(64)}`), parent: undefined }
    const recipient = author.ledger.agent
    const lost = { ...token, digest: digest(`0x${'2'.repeat(64)}`), recipient }
    const noise = { ...token, digest: await ports.blobStore.put(new Uint8Array(99)), recipient }
    const outcomes = ['blob/not-found', 'bundle/unreadable']
    for (const [index, made] of [lost, noise].entries()) {
      const { tokenId: id } = await ports.ledger.mint(made)
      await expect(download(ports, { tokenId: id, proof: await prove(id) })).rejects.toEqual(
        failsWith(outcomes[index] ?? ''),
      )
    }
  })
})
