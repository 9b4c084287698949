import { type BlobStore, type CardBlock, type Digest, decodeCard, type Seal } from '@heirloom/core'
import { memoryCipher } from './cipher.ts'

type Lookup<T> = (digest: Digest) => Promise<T | undefined>

/** A blob store, and lookups of the cards and the seals in its blobs. */
export type BlobLookups = {
  readonly blobStore: BlobStore
  /** Returns the card in a blob; `undefined` when the blob is missing or has no valid card. */
  readonly cards: Lookup<CardBlock>
  /** Returns the seal in the head of a blob; `undefined` when the blob is missing. */
  readonly seals: Lookup<Seal>
}

/** Adds lookups to a blob store, each of which reads a blob once until it is put or removed. */
export function blobLookups(inner: BlobStore): BlobLookups {
  const cipher = memoryCipher()
  const cards = remember(async (digest) => {
    const block = await inner.get(digest).catch(() => undefined)
    return block && decodeCard(block)
  })
  const seals = remember(async (digest) => {
    const head = await inner.head(digest).catch(() => undefined)
    return head && cipher.inspect(head)
  })
  const forget = (digest: Digest) => {
    cards.known.delete(digest)
    seals.known.delete(digest)
  }
  const blobStore: BlobStore = {
    ...inner,
    put: async (bytes, headLength) => {
      const digest = await inner.put(bytes, headLength)
      forget(digest)
      return digest
    },
    remove: async (digest) => {
      await inner.remove(digest)
      forget(digest)
    },
  }
  return { blobStore, cards: cards.look, seals: seals.look }
}

function remember<T>(read: Lookup<T>) {
  const known = new Map<Digest, Promise<T | undefined>>()
  const look: Lookup<T> = (digest) => {
    const found = known.get(digest) ?? read(digest)
    known.set(digest, found)
    return found
  }
  return { known, look }
}
