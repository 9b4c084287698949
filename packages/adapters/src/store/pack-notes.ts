import type { Account, Digest, Registry } from '@heirloom/core'
import type { PackCount } from './pack-queries.ts'
import * as packs from './pack-queries.ts'
import type { NotedPacks, NotedRoot } from './pack-removals.ts'
import * as removals from './pack-removals.ts'
import { packTables } from './pack-tables.ts'
import { registryId } from './seal-notes.ts'
import type { Store } from './store.ts'
import { endOfGrace } from './upgrade-notes.ts'

export type { PackCount } from './pack-queries.ts'
export type { CondemnedPack, NotedPacks, NotedRoot } from './pack-removals.ts'

/**
 * The notes on the packs that an installation stored. They say which packs there are, until when
 * each is leased, and which roots refer to them; what is minted only the chain says.
 */
export type PackNotes = {
  /** Returns the time by which packs are leased, in milliseconds since 1970. */
  now(): number
  /**
   * Notes a pack that was just stored, and leases it. Returns `condemned` when it was about to be
   * removed: then it is not any more, and must be stored once more.
   */
  store(pack: Digest, creator: Account): Promise<'stored' | 'condemned'>
  /**
   * Leases packs for a new version. Returns false, and leases none, when one of them is condemned.
   * A pack without a note, of a lost database, gets one.
   */
  lease(packs: readonly Digest[], creator: Account): Promise<boolean>
  /** Notes the packs of a version before it is minted. */
  noteRoot(root: Digest, version: Pick<NotedRoot, 'packs'> & { creator: Account }): Promise<void>
  /** Reports whether there is a note on a root. */
  hasRoot(root: Digest): Promise<boolean>
  /** Reports whether there is a note on a pack: then only `whileCondemned` removes it. */
  has(pack: Digest): Promise<boolean>
  /** Returns the creators with packs whose leases have ended, or that are condemned. */
  creatorsDue(): Promise<readonly Account[]>
  /** Returns what is noted of the packs of a creator. */
  read(creator: Account): Promise<NotedPacks>
  /** Condemns those of these packs whose leases have ended. */
  condemn(packs: readonly Digest[]): Promise<void>
  /** Stores condemned packs again: a token refers to them. */
  pardon(packs: readonly Digest[]): Promise<void>
  /**
   * Runs `remove` while a pack is condemned and nobody can store it; returns false, and runs nothing,
   * when it is not condemned.
   */
  whileCondemned(pack: Digest, remove: () => Promise<void>): Promise<boolean>
  /** Deletes the notes of roots, and of packs that were condemned before a time. */
  forget(notes: { readonly roots: readonly Digest[]; readonly condemned: number }): Promise<void>
  count(): Promise<PackCount>
}

export declare namespace packNotes {
  type Parts = Pick<Store, 'db' | 'commit' | 'isShared' | 'now' | 'migrate'>
}

/**
 * Returns whether memories are sealed in parts by now. Without a choice they are as soon as every
 * server of the installation is expected to open them.
 */
export async function sealingInParts(
  { db, now }: Pick<Store, 'db' | 'now'>,
  choice: boolean | undefined,
): Promise<() => boolean> {
  if (choice !== undefined) return () => choice
  const from = await endOfGrace(db)
  return () => now() >= from
}

/** Opens the notes on the packs of a registry in a store. */
export async function packNotes(store: packNotes.Parts, place: Registry): Promise<PackNotes> {
  await store.migrate(packTables)
  const parts = { store, registry: registryId(place) }
  const exclusively = digestLocks()
  return {
    now: store.now,
    store: (pack, creator) => exclusively(pack, () => packs.storePack(parts, pack, creator)),
    lease: (all, creator) => packs.leasePacks(parts, all, creator),
    noteRoot: (root, version) => packs.noteRoot(parts, root, version),
    hasRoot: (root) => packs.hasRoot(parts, root),
    has: (pack) => packs.isNoted(parts, pack),
    creatorsDue: () => removals.creatorsDue(parts),
    read: (creator) => removals.readPacks(parts, creator),
    condemn: (all) => removals.condemnPacks(parts, all),
    pardon: (all) => removals.pardonPacks(parts, all),
    whileCondemned: (pack, remove) =>
      exclusively(pack, () => removals.whileCondemned(parts, pack, remove)),
    forget: (notes) => removals.forgetNotes(parts, notes),
    count: () => packs.countPacks(parts),
  }
}

/** Returns a function that runs one piece of work at a time for each digest. */
function digestLocks() {
  const last = new Map<Digest, Promise<unknown>>()
  return <T>(pack: Digest, work: () => Promise<T>): Promise<T> => {
    const before = last.get(pack) ?? Promise.resolve()
    const result = before.then(work, work)
    last.set(pack, result)
    const end = () => {
      if (last.get(pack) === result) last.delete(pack)
    }
    result.then(end, end)
    return result
  }
}
