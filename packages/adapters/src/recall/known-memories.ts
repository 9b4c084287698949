import type { Digest, WordIndex } from '@heirloom/core'

/** A memory that was read, with its index unless it is beyond the bounds. */
type KnownMemory = { readonly index: WordIndex | undefined }

/** An LRU cache of the indexes of memories. */
type KnownMemories = {
  /** Returns a memory, which counts as used. */
  readonly find: (digest: Digest) => KnownMemory | undefined
  readonly add: (digest: Digest, index: WordIndex | undefined) => void
  readonly remove: (digest: Digest) => void
}

/** About the bytes of a memory besides its index. */
const entrySize = 200

const sizeOf = ({ index }: KnownMemory): number => (index?.size ?? 0) + entrySize

/**
 * Returns a cache of about `room` bytes for small indexes and as many for others, so that a few large
 * memories end no others' indexes; of one index alone it may be more.
 */
export function knownMemories({ room, small }: knownMemories.Options): KnownMemories {
  /** The latest used last. */
  const memories = new Map<Digest, KnownMemory>()
  const isSmall = (it: KnownMemory) => sizeOf(it) <= small
  const use = (digest: Digest, memory: KnownMemory) => {
    memories.delete(digest)
    memories.set(digest, memory)
  }
  return {
    find: (digest) => {
      const found = memories.get(digest)
      if (found !== undefined) use(digest, found)
      return found
    },
    add: (digest, index) => {
      use(digest, { index })
      const rivals = [...memories].filter(([, it]) => isSmall(it) === isSmall({ index }))
      let total = rivals.reduce((sum, [, it]) => sum + sizeOf(it), 0)
      for (const [oldest, it] of rivals) {
        if (total <= room || oldest === digest) return
        memories.delete(oldest)
        total -= sizeOf(it)
      }
    },
    remove: (digest) => memories.delete(digest),
  }
}

export declare namespace knownMemories {
  type Options = {
    readonly room: number
    /** The most bytes of a small index. */
    readonly small: number
  }
}
