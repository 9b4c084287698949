import type { Digest, WordIndex } from '@heirloom/core'

/** A memory that was read, with its index unless it is beyond the bounds. */
export type KnownMemory = {
  /** The digests of the packs that it is stored in. */
  readonly packs: ReadonlySet<string>
  readonly index: WordIndex | undefined
}

/** An LRU cache of memories. */
export type KnownMemories = {
  /** Returns a memory, which counts as used. */
  readonly find: (digest: Digest) => KnownMemory | undefined
  readonly add: (digest: Digest, memory: KnownMemory) => void
  readonly remove: (digest: Digest) => void
  /** Returns the memory that shares most packs: only versions of one line share any. */
  readonly nearest: (packs: ReadonlySet<string>) => KnownMemory | undefined
}

/**
 * Returns a cache of about `room` bytes for small indexes and as many for others, so that a few large
 * memories end no others' indexes; of one index alone it may be more.
 */
export function knownMemories({ room, small }: knownMemories.Options): KnownMemories {
  /** The latest used last. */
  const memories = new Map<Digest, KnownMemory>()
  const isSmall = (it: KnownMemory) => sizeOf(it) <= small
  const add = (digest: Digest, memory: KnownMemory) => {
    memories.delete(digest)
    memories.set(digest, memory)
    const rivals = [...memories].filter(([, it]) => isSmall(it) === isSmall(memory))
    let total = rivals.reduce((sum, [, it]) => sum + sizeOf(it), 0)
    for (const [oldest, it] of rivals) {
      if (total <= room || oldest === digest) return
      memories.delete(oldest)
      total -= sizeOf(it)
    }
  }
  const find = (digest: Digest) => {
    const found = memories.get(digest)
    if (found !== undefined) {
      memories.delete(digest)
      memories.set(digest, found)
    }
    return found
  }
  const nearest = (packs: ReadonlySet<string>) => {
    const shared = (it: KnownMemory) => [...it.packs].filter((pack) => packs.has(pack)).length
    const [best] = [...memories.values()]
      .map((it) => ({ it, count: shared(it) }))
      .toSorted((one, other) => other.count - one.count)
    return best !== undefined && best.count > 0 ? best.it : undefined
  }
  return { find, add, remove: (digest) => memories.delete(digest), nearest }
}

export declare namespace knownMemories {
  type Options = {
    readonly room: number
    /** The most bytes of a small index. */
    readonly small: number
  }
}

const sizeOf = ({ index, packs }: KnownMemory): number =>
  (index?.size ?? 0) + packs.size * packSize + packSize

/** About the bytes of the name of a pack, and of a memory without an index. */
const packSize = 100
