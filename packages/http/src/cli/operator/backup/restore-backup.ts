import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type Backup,
  type Damage,
  type FileSteps,
  fileSteps,
  nextEpoch,
  type Objects,
  readBackup,
  requireBackup,
} from '@heirloom/adapters/internal/backup'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import { endUnfinishedJobs } from '@heirloom/adapters/internal/end-unfinished-jobs'
import { destroyedFile, erasedFile, keyFile, tenantFile } from '@heirloom/adapters/keys'
import { Failure, isFailure } from '@heirloom/core'
import { type Config, type Environment, readConfig } from '../../../config/config.ts'
import { readErased } from '../../../server/erasing/server-erasures.ts'
import {
  type InstallationRecord,
  readInstallation,
  unfinishedRestore,
  writeInstallation,
} from '../../../server/installation.ts'
import { moveFiles } from '../../../server/moved-tokens.ts'
import { jobFile } from '../../../server/open-job-store.ts'
import { blobFolder, chainFile } from '../../../server/whole-folder.ts'
import { addErased, namesOfErased, openPlace } from './backup-place.ts'
import { makeWriter } from './make-writer.ts'
import {
  finishRestore,
  isComplete,
  mergeDestroyed,
  placeRestored,
  requireEmpty,
  verifyRestored,
} from './restored-folder.ts'
import type { MemoryReport } from './verify-memories.ts'

export declare namespace restoreBackup {
  type Options = {
    /** A folder or an `s3://` URL. */
    readonly from: string
    /** The data folder to restore into; DATA_DIR when absent. */
    readonly into: string | undefined
    /** Whether every memory is opened. */
    readonly verify: boolean
    /** Whether the operator says that the original will never write again. */
    readonly asWriter: boolean
    /** Whether nothing is left behind. */
    readonly isTrial: boolean
    readonly steps?: FileSteps
  }
}

/** The result of a restore. */
export type RestoreReport = {
  readonly folder: string
  readonly backup: Backup['manifest']
  /** The jobs that had not ended, and whose outcome nobody knows. */
  readonly unfinishedJobs: number
  /** Absent when no memory was opened. */
  readonly memories: MemoryReport | undefined
  readonly isWriter: boolean
  /** The reasons for which the original could not be kept from writing. */
  readonly notes: readonly string[]
}

type Target = {
  readonly config: Config
  readonly folder: string
  readonly objects: Objects
  readonly backup: Backup
}

/**
 * Restores a backup into an empty data folder: everything is written and verified beside, and gets
 * its place at the end. The restored copy starts only once an operator said that it is the writer.
 *
 * @throws `backup/damaged`, `backup/unavailable`, `backup/unusable`, `folder/in-use`,
 * `folder/unusable`, and with `verify` the failures of `verifyMemories`
 */
export async function restoreBackup(
  env: Environment,
  { from, into, ...options }: restoreBackup.Options,
): Promise<RestoreReport> {
  const config = readConfig({ ...env, ...(into !== undefined && { DATA_DIR: into }) })
  const folder = resolve(config.dataDir)
  const isNew = !existsSync(folder)
  const objects = await openPlace(from, { forWriting: false, folder })
  const lock = openDataFolder(folder)
  try {
    const backup = await requireBackup(objects)
    await finishRestore(folder, options.steps)
    const target = { config, folder, objects, backup }
    const restored = isCopyOf(readInstallation(folder), backup)
      ? { unfinishedJobs: 0, memories: undefined }
      : await restore(target, options)
    if (!options.asWriter || options.isTrial || hasFailed(restored.memories)) {
      return { folder, backup: backup.manifest, ...restored, isWriter: false, notes: [] }
    }
    const notes = await makeWriter({ from, folder, objects, backup })
    return { folder, backup: backup.manifest, ...restored, isWriter: true, notes }
  } finally {
    lock.close()
    objects.close()
    if (isNew && options.isTrial) rmSync(folder, { recursive: true, force: true })
  }
}

const hasFailed = (memories: MemoryReport | undefined): boolean =>
  memories !== undefined && memories.failed.length > 0

/** Returns whether a folder is what an earlier run restored from a backup, and may not write yet. */
const isCopyOf = (
  record: InstallationRecord | undefined,
  { manifest: { installation, takenAt } }: Backup,
): boolean =>
  record?.state === 'copy' && record.id === installation.id && record.takenAt === takenAt

type Chosen = Pick<restoreBackup.Options, 'verify' | 'isTrial' | 'steps'>

async function restore(
  target: Target,
  { verify, isTrial, steps = fileSteps }: Chosen,
): Promise<Pick<RestoreReport, 'unfinishedJobs' | 'memories'>> {
  const { folder, backup } = target
  requireEmpty(folder)
  const staging = join(folder, unfinishedRestore)
  await steps.remove(staging)
  try {
    await readInto(target, staging, steps)
    mergeDestroyed(folder, staging)
    addErased(folder, staging)
    const unfinishedJobs = endUnfinished(backup, staging)
    const memories = verify ? await verifyRestored(target, staging) : undefined
    writeInstallation(staging, await recordOf(target))
    if (!isTrial) await placeRestored(folder, steps)
    return { unfinishedJobs, memories }
  } finally {
    // What is complete gets its place in the next run.
    if (!isComplete(folder)) rmSync(staging, { recursive: true, force: true })
  }
}

async function readInto(
  { objects, backup, folder }: Target,
  staging: string,
  steps: FileSteps,
): Promise<void> {
  const keys = [keyFile, tenantFile, destroyedFile, erasedFile]
  const files = [chainFile, jobFile, ...keys, ...moveFiles]
  const erased = () => namesOfErased(readErased(folder, staging))
  const blockFolder = join(blobFolder, 'blocks')
  const input = { backup, into: staging, blockFolder, files, readErased: erased, steps }
  const damage = await readBackup(objects, input).catch((cause: unknown) => {
    throw isFailure(cause) ? cause : unwritable(staging, cause)
  })
  if (damage.length > 0) throw damaged(objects.place, damage)
}

function unwritable(folder: string, cause: unknown): Failure<'folder/unusable'> {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const problem = `the backup could not be written there: ${reason}; check the space on its disk`
  return new Failure('folder/unusable', { folder, problem }, { cause })
}

/** The damaged parts that a failure names. */
const namedParts = 5

function damaged(place: string, damage: readonly Damage[]): Failure<'backup/damaged'> {
  const named = damage
    .slice(0, namedParts)
    .map(({ part, place: at, problem }) => `${part} (${at}) ${problem}`)
  const more = damage.length > namedParts ? `, and ${damage.length - namedParts} more parts` : ''
  return new Failure('backup/damaged', { place, problem: `${named.join(', ')}${more}` })
}

/** Ends the jobs that had not ended; returns how many of them the original may have done since. */
function endUnfinished({ manifest }: Backup, staging: string): number {
  const path = join(staging, jobFile)
  return existsSync(path) ? endUnfinishedJobs(path, manifest.chain) : 0
}

async function recordOf({ objects, backup }: Target): Promise<InstallationRecord> {
  const { installation, takenAt, origin } = backup.manifest
  return {
    id: installation.id,
    epoch: await nextEpoch(objects, backup.manifest),
    copy: randomUUID(),
    state: 'copy',
    takenAt,
    original: `${origin.folder} on ${origin.host}`,
  }
}
