import type { Digest, Erasures, Instant } from '@heirloom/core'
import { type ErasureStore, mergeErased } from './erasure-store.ts'

/** The erasures of a server, which are in memory, because every read of a blob asks for them. */
export type StoredErasures = Erasures & {
  /** Returns the digests of all erased blobs. */
  readonly all: () => readonly Digest[]
  /**
   * Reads what other servers have noted; returns the digests that are new here.
   *
   * @throws whatever the store throws
   */
  readonly refresh: () => Promise<readonly Digest[]>
}

/**
 * Opens the erasures of one or more stores, each of which gets what the others have: whatever is
 * restored from a backup, the others still know what was erased since. The first one is that which
 * other servers share.
 *
 * @throws whatever a store throws
 */
export async function openErasures(
  stores: readonly [ErasureStore, ...ErasureStore[]],
): Promise<StoredErasures> {
  const [shared] = stores
  const known = new Map<Digest, Instant>()
  /** The number of digests in the shared store when it was last read. */
  let counted = -1
  const learn = (blobs: Iterable<readonly [Digest, Instant]>): readonly Digest[] => {
    const unknown = [...blobs].filter(([name]) => !known.has(name))
    for (const [name, at] of unknown) known.set(name, at)
    return unknown.map(([name]) => name)
  }
  const merge = async () => {
    const all = mergeErased(...(await Promise.all(stores.map(({ read }) => read()))))
    if (all.size > 0) for (const { add } of stores) await add(all)
    counted = all.size
    return learn(all)
  }
  await merge()
  return {
    find: (name) => known.get(name),
    all: () => [...known.keys()],
    add: async (digests, erasedAt) => {
      const fresh = digests.filter((name) => !known.has(name))
      if (fresh.length === 0) return
      const blobs = new Map(fresh.map((name) => [name, erasedAt] as const))
      for (const { add } of stores) await add(blobs)
      learn(blobs)
    },
    refresh: async () => ((await shared.count()) === counted ? [] : merge()),
  }
}
