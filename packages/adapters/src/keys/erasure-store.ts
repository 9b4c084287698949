import { join } from 'node:path'
import { type Digest, digest, type Instant, instant } from '@heirloom/core'
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
