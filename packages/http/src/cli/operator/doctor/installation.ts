import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import { diskProblem } from '@heirloom/adapters/internal/platform'
import { type BlobStorage, isFailure, type OpenBlobStore, whileOpen } from '@heirloom/core'
import type { Config } from '../../../config/config.ts'
import { guardErased, readErased } from '../../../server/erasing/server-erasures.ts'
import { blobStorageOf } from '../../../server/open-blob-storage.ts'
import { blobFolder, storageFolder } from '../../../server/whole-folder.ts'
import { type Finding, findingLines, warn } from './finding.ts'

/** An installation under examination: its configuration and its data folder. */
export type Installation = {
  readonly config: Config
  readonly folder: string
  /** The reason why the folder could not be locked; undefined while this process holds the lock. */
  readonly unavailable: string | undefined
  /** The error of locking the folder. */
  readonly lockError: unknown
  /** The reason why nobody can write into the folder, such as `its disk is full`. */
  readonly unwritable: string | undefined
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  /** Returns true when the data folder contains an entry of this name. */
  readonly has: (name: string) => boolean
  /** Releases the lock. */
  readonly close: () => void
}

/** Opens an installation, and locks its data folder if possible. Creates no folder. */
export function openInstallation(config: Config): Installation {
  const folder = resolve(config.dataDir)
  const has = (name: string) => existsSync(join(folder, name))
  const unwritable = unwritableReason(folder)
  const common = { config, folder, has, unwritable, now: () => Date.now() }
  if (!existsSync(folder) || unwritable !== undefined) {
    const unavailable = unwritable ?? noFolder
    return { ...common, unavailable, lockError: undefined, close: () => undefined }
  }
  try {
    const lock = openDataFolder(folder)
    return { ...common, unavailable: undefined, lockError: undefined, close: lock.close }
  } catch (lockError) {
    const isUsed = isFailure(lockError, 'folder/in-use')
    const unavailable = isUsed ? folderInUse : 'the folder cannot be used'
    return { ...common, unavailable, lockError, close: () => undefined }
  }
}

/** The room that the checks themselves need, in bytes. */
const leastRoom = 8 * 2 ** 20

/** Returns why nobody can write into a folder; `undefined` if somebody can, or there is none. */
function unwritableReason(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    return diskProblem(error)?.problem ?? 'nobody can write into it'
  }
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < leastRoom ? 'its disk is full' : undefined
}

/** Reports whether an installation may have blobs. Only its module knows it of a place elsewhere. */
export const mayHaveBlobs = ({ config, has }: Installation): boolean =>
  config.blobStore !== undefined || has(blobFolder)

/**
 * Returns the blob storage of an installation, without peers.
 *
 * @throws `config/invalid`
 */
export const storageOf = ({ config, folder }: Installation): Promise<BlobStorage> =>
  blobStorageOf({ ...config, network: undefined }, { folder: join(folder, storageFolder(config)) })

/**
 * Runs an action on the blob store of an installation, which is closed afterwards. It refuses what the
 * folder knows as erased.
 *
 * @throws `blob/unavailable`, `config/invalid`
 */
export async function withBlobStore<T>(
  installation: Installation,
  act: (store: OpenBlobStore) => Promise<T>,
): Promise<T> {
  const erased = readErased(installation.folder)
  return whileOpen(await storageOf(installation), (store) =>
    act(guardErased(store, { find: (digest) => erased.get(digest) })),
  )
}

/** Returns the finding for a part that was not checked. */
export const skipped = (name: string, reason: string): Finding => ({
  ...warn(name, `Not checked: ${reason}.`, adviceFor(reason)),
  skippedBecause: reason,
})

/** Returns a line for each reason why parts were not checked, with the names of these parts. */
export function skippedLines(findings: readonly Finding[], width: number): readonly string[] {
  const byReason = Map.groupBy(findings, ({ skippedBecause }) => skippedBecause)
  return [...byReason].flatMap(([reason, parts]) => {
    if (reason === undefined) return []
    const names = parts.map(({ name }) => name).join(', ')
    const advice = parts.at(-1)?.advice ?? adviceFor(reason)
    return findingLines(warn('not checked', `${names}: ${reason}.`, advice), width)
  })
}

/** The reason why parts that a server locks are not checked. */
export const folderInUse = 'a server is using the folder'

/** The reason why the catalogue of a database is not checked: nothing is wrong with it. */
export const sharedCatalogue = 'the catalogue is in DATABASE_URL'
const noFolder = 'there is no data folder yet'

function adviceFor(reason: string): string {
  if (reason === sharedCatalogue) return 'GET /readyz of a server says how it is.'
  return `${stepFor(reason)}, then run doctor again.`
}

function stepFor(reason: string): string {
  if (reason === folderInUse) return 'Stop the server'
  return reason.endsWith(' yet') ? 'Start a server once' : 'Resolve that first'
}
