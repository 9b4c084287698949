import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  databaseErasureStore,
  decodeErased,
  type ErasedBlobs,
  erasedFile,
  fileErasureStore,
  type KeyTables,
  mergeErased,
  openErasures,
  type StoredErasures,
} from '@heirloom/adapters/keys'
import type { Config } from '../../config/config.ts'

export declare namespace serverErasures {
  type Parts = {
    readonly config: Pick<Config, 'databaseUrl'>
    readonly folder: string
    /** Opens the database that several servers can share. */
    readonly store: () => Promise<JobStore>
  }
}

/**
 * Opens the erasures of a server: in its data folder, and in the configured database, which gets what
 * the folder has. So neither an older dump nor an older folder brings an erased memory back alone.
 */
export async function serverErasures({
  config,
  folder,
  store,
}: serverErasures.Parts): Promise<StoredErasures> {
  const inFolder = fileErasureStore({ folder })
  if (config.databaseUrl === undefined) return openErasures([inFolder])
  const { db, migrate } = await store()
  const shared = await databaseErasureStore({ db: db.withTables<KeyTables>(), migrate })
  return openErasures([shared, inFolder])
}

/** Reads the erased blobs of some data folders. */
export function readErased(...folders: readonly string[]): ErasedBlobs {
  const paths = folders.map((folder) => join(folder, erasedFile)).filter((it) => existsSync(it))
  return mergeErased(...paths.map((path) => decodeErased(readFileSync(path, 'utf8'))))
}
