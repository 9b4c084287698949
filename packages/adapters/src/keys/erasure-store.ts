import { join } from 'node:path'
import { type Digest, digest, type Erasures, type Instant, instant } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { type FileSteps, fileSteps, readTextIfPresent, replaceKeyFile } from './key-file.ts'
import { type KeyTables, keyTables } from './key-tables.ts'

/** The digests of erased blobs, and when each was erased. */
export type ErasedBlobs = ReadonlyMap<Digest, Instant>

/** Stores the digests of erased blobs: a file of one server, or a table that several share. */
export type ErasureStore = {
  readonly read: () => Promise<ErasedBlobs>
  /** Returns the number of digests, by which a reader sees that there are more. */
  readonly count: () => Promise<number>
  /** Adds digests durably; the first time of each stays. */
  readonly add: (blobs: ErasedBlobs) => Promise<void>
}

/** The file in a data folder that lists the digests of erased blobs; it holds no secret. */
export const erasedFile = 'erased.blobs'

/** Encodes digests as the file has them: one for each line, with its time in milliseconds. */
export const encodeErased = (blobs: ErasedBlobs): string =>
  [...blobs].map(([name, at]) => `${name.slice(2)} ${at}\n`).join('')

/** Decodes the text of such a file; a line that is none is left out. */
export function decodeErased(text: string): ErasedBlobs {
  const lines = text.matchAll(/^([0-9a-f]{64}) ([0-9]{1,15})$/gm)
  return new Map([...lines].map(([, name, at]) => [digest(`0x${name}`), instant(Number(at))]))
}

/** Returns all digests of several lists, each with its first time. */
export function mergeErased(...lists: readonly ErasedBlobs[]): ErasedBlobs {
  const all = new Map<Digest, Instant>()
  for (const [name, at] of lists.flatMap((it) => [...it])) {
    const known = all.get(name)
    all.set(name, known === undefined || at < known ? at : known)
  }
  return all
}

/** Opens the list in a folder that no other process writes to. */
export function fileErasureStore({
  folder,
  steps = fileSteps,
}: fileErasureStore.Input): ErasureStore {
  const path = join(folder, erasedFile)
  const read = () => decodeErased(readTextIfPresent(path) ?? '')
  return {
    read: async () => read(),
    count: async () => read().size,
    add: async (blobs) => {
      const before = read()
      const all = mergeErased(before, blobs)
      if (all.size > before.size) replaceKeyFile(path, encodeErased(all), steps)
    },
  }
}

export declare namespace fileErasureStore {
  type Input = {
    readonly folder: string
    /** The steps of replacing a file; those on the file system by default. */
    readonly steps?: FileSteps
  }
}

/** The most digests in one statement. */
const batch = 1000

/** Opens the list in a database, which several servers may share. */
export async function databaseErasureStore({
  db,
  migrate,
}: databaseErasureStore.Input): Promise<ErasureStore> {
  await migrate(keyTables)
  return {
    read: async () => {
      const rows = await db.selectFrom('erased_blob').selectAll().execute()
      return new Map(rows.map((row) => [digest(row.digest), instant(Number(row.erasedAt))]))
    },
    count: async () => {
      const count = db.selectFrom('erased_blob').select((it) => it.fn.countAll().as('count'))
      return Number((await count.executeTakeFirstOrThrow()).count)
    },
    add: async (blobs) => {
      const rows = [...blobs].map(([name, at]) => ({ digest: name, erasedAt: at as number }))
      for (let at = 0; at < rows.length; at += batch) {
        await db
          .insertInto('erased_blob')
          .values(rows.slice(at, at + batch))
          .onConflict((it) => it.column('digest').doNothing())
          .execute()
      }
    },
  }
}

export declare namespace databaseErasureStore {
  type Input = {
    readonly db: Kysely<KeyTables>
    /** Brings tables of the database to their newest version, one process at a time. */
    readonly migrate: (tables: VersionedTables) => Promise<void>
  }
}

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
