import {
  type BlobStore,
  challenge,
  type Digest,
  type Ports,
  type TokenId,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import { memoryBlobStore, memoryCipher, memoryHarness, type Party } from '@heirloom/testkit'
import { expect } from 'vitest'

/** A valid bundle. */
export const bundle = { data: { goal: 'learn' }, metadata: { category: 'research' } }
/** The id of a token that does not exist. */
export const unknown = tokenId(99n)

/** Flaws of a proof: the claimed party, the real signer, and the offset of its time in seconds. */
type Flaws = { readonly by?: Party; readonly signer?: Party; readonly seconds?: number }

/** Returns a fake chain with two parties, the ports of the first, and a function that makes proofs. */
export function memoryFixture() {
  const world = memoryHarness()
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

/** Returns a blob store that records the digests of the blobs it holds. */
export function recordingBlobStore(inner: BlobStore) {
  const stored = new Set<Digest>()
  const blobStore: BlobStore = {
    ...inner,
    put: async (bytes, headLength) => {
      const name = await inner.put(bytes, headLength)
      stored.add(name)
      return name
    },
    remove: async (name) => {
      await inner.remove(name)
      stored.delete(name)
    },
  }
  return { blobStore, kept: stored }
}

/** Matches a failure by its code, and by its facts where they are given. */
export const failsWith = (code: string, facts?: object) =>
  expect.objectContaining(facts === undefined ? { code } : { code, facts })
