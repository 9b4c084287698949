import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import {
  destroyedFile,
  encodeKeyDocument,
  encodeTenantDocument,
  keyFile,
  tenantFile,
} from '@heirloom/adapters/keys'
import { Failure, isFailure } from '@heirloom/core'
import type { Config } from '../../../config/config.ts'
import { ensureInstallation } from '../../../server/installation.ts'
import { withKeyStore } from '../../../server/keys/open-keys.ts'
import { HoldLost, whileHeld } from '../../../server/start/serve-holds.ts'

/** Copies of the databases of a data folder, all of one moment. */
export type Staged = {
  readonly folder: string
  /** The names of those that the data folder has. */
  readonly names: readonly string[]
  /** The moment, in milliseconds since 1970. */
  readonly takenAt: number
}

/** The folder in a data folder for copies that a backup is made from. */
export const stagingFolder = 'backup-unfinished'

/** The time to wait for a server that is starting or ending, and between two tries; milliseconds. */
const patience = { all: 20_000, step: 500 }

export declare namespace stageFiles {
  type Input = { readonly folder: string; readonly names: readonly string[]; readonly into: string }
}

/**
 * Copies the databases of a data folder as they are at one moment, whether or not a server uses them:
 * a server holds them meanwhile, between two transactions, and goes on writing into their logs.
 *
 * @throws `folder/unusable` if a server uses the folder that does not hold its files
 */
export async function stageFiles(input: stageFiles.Input): Promise<Staged> {
  for (const end = performance.now() + patience.all; performance.now() < end; ) {
    const staged = await tryToStage(input)
    if (staged !== undefined) return staged
    await pause(patience.step)
  }
  const problem =
    'a server uses it that lets no backup be made: it is still starting, frozen, or of an earlier version; stop it, or try again'
  throw new Failure('folder/unusable', { folder: input.folder, problem })
}

/** Returns `undefined` when the server started or ended meanwhile. */
async function tryToStage(input: stageFiles.Input): Promise<Staged | undefined> {
  const lock = lockIfUnused(input.folder)
  try {
    return lock === undefined ? await copyHeldFiles(input) : copyUnusedFiles(input)
  } catch (error) {
    if (error instanceof HoldLost) return undefined
    throw isFailure(error) ? error : uncopied(input.folder, error)
  } finally {
    lock?.close()
  }
}

async function copyHeldFiles(input: stageFiles.Input): Promise<Staged | undefined> {
  let staged: Staged | undefined
  await whileHeld(input.folder, async () => {
    staged = copyFiles(input)
  })
  return staged
}

function copyUnusedFiles(input: stageFiles.Input): Staged {
  ensureInstallation(input.folder)
  for (const name of input.names) completeFile(join(input.folder, name))
  return copyFiles(input)
}

/** Returns the failure of a copy beside a data folder. */
export function uncopied(folder: string, cause: unknown): Failure<'folder/unusable'> {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const problem = `its files could not be copied beside it: ${reason}; free some space on its disk`
  return new Failure('folder/unusable', { folder, problem }, { cause })
}

function lockIfUnused(folder: string) {
  try {
    return openDataFolder(folder)
  } catch (error) {
    if (isFailure(error, 'folder/in-use')) return undefined
    throw error
  }
}

/** Copies what a killed server left in the log of a database into its main file. */
function completeFile(path: string): void {
  // SQLite would remove the log beside an empty file.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE')
    file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    file.close()
  }
}

function copyFiles({ folder, names, into }: stageFiles.Input): Staged {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { mode: 0o700 })
  const present = names.filter((name) => existsSync(join(folder, name)))
  for (const name of present) {
    // Where the file system can, the copy shares the blocks of the file.
    copyFileSync(join(folder, name), join(into, name), constants.COPYFILE_FICLONE)
  }
  return { folder: into, names: present, takenAt: Date.now() }
}

/**
 * Copies the wrapped sealing keys, the tenants with their wrapped wallets, and the list of destroyed
 * keys, and returns the names of the copies. Never copies a master key. The list comes last, so that it holds every key that was
 * destroyed by the time the others were copied.
 */
export async function stageKeys(
  { config, folder }: { readonly config: Config; readonly folder: string },
  into: string,
): Promise<readonly string[]> {
  if (config.databaseUrl !== undefined) return stageSharedKeys({ config, folder }, into)
  return [keyFile, tenantFile, destroyedFile].filter((name) => {
    const isThere = existsSync(join(folder, name))
    if (isThere) copyFileSync(join(folder, name), join(into, name))
    return isThere
  })
}

/** Copies the keys that servers share in a database. */
const stageSharedKeys = (
  parts: { readonly config: Config; readonly folder: string },
  into: string,
): Promise<readonly string[]> =>
  withKeyStore(parts, async (store, tenantStore) => {
    const document = await store.read()
    const tenants = await tenantStore.read()
    const ids = [...(await store.destroyed())]
    const texts = [
      ...(document === undefined ? [] : [[keyFile, encodeKeyDocument(document)] as const]),
      ...(tenants === undefined ? [] : [[tenantFile, encodeTenantDocument(tenants)] as const]),
      ...(ids.length === 0 ? [] : [[destroyedFile, [...ids, ''].join('\n')] as const]),
    ]
    for (const [name, text] of texts) writeFileSync(join(into, name), text, { mode: 0o600 })
    return texts.map(([name]) => name)
  })

/** The time after a write for which a folder counts as in use, in milliseconds: clients write in bursts. */
const afterglow = 1000

/** The time for which a result is used again, in milliseconds. */
const memory = 100

/**
 * Returns a function that tells whether a server has written to its data folder within the last
 * second. Each acknowledged write, and each token that the catalogue learns of, grows a database's
 * log there; a server without writes changes none.
 */
export function folderActivity(folder: string): () => boolean {
  let [isActive, readAt] = [false, Number.NEGATIVE_INFINITY]
  return () => {
    if (performance.now() - readAt < memory) return isActive
    const writtenAt = Math.max(0, ...logsIn(folder).map(changedAt))
    ;[isActive, readAt] = [Date.now() - writtenAt < afterglow, performance.now()]
    return isActive
  }
}

const logsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite-wal'))
    .map((name) => join(folder, name))

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
