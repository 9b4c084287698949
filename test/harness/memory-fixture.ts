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

/** A bundle like any other. */
export const bundle = { data: { goal: 'learn' }, metadata: { category: 'research' } }
/** The id of a token that was never minted. */
export const unknown = tokenId(99n)

/** Who claims, who really signs, and how far from now it is dated. */
type Flaws = { readonly by?: Party; readonly signer?: Party; readonly seconds?: number }

/** A world, the ports of its first two parties, and proofs. */
export function scene() {
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

/** A store, and the digests of what it keeps. */
export function watched(inner: BlobStore) {
  const kept = new Set<Digest>()
  const blobStore: BlobStore = {
    ...inner,
    put: async (bytes, headLength) => {
      const name = await inner.put(bytes, headLength)
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

/** Matches a failure by its code, and by its facts where they are given. */
export const failsWith = (code: string, facts?: object) =>
  expect.objectContaining(facts === undefined ? { code } : { code, facts })
