import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { folderFailure } from '@heirloom/adapters/internal/platform'
import { isFailure, type OpenBlobStore } from '@heirloom/core'
import { freeDisk, leastFree, refuseDuplicate } from '../../../server/folder-place.ts'
import { refuseForeignParts } from '../../../server/foreign-parts.ts'
import { requireWriter } from '../../../server/installation.ts'
import { blobFolder, otherStoreOf, partNeedingBlobs } from '../../../server/whole-folder.ts'
import { type Finding, fail, failed, keepData, ok, runCheck, warn } from './finding.ts'
import {
  type Installation,
  mayHaveBlobs,
  skipped,
  storageOf,
  withBlobStore,
} from './installation.ts'

const secrets = ['agent.key', 'master.keys', 'sealing.keys']

/** Checks the data folder: its owner, its permissions, the free space on its disk, and its lock. */
export async function* checkFolder(installation: Installation): AsyncGenerator<Finding> {
  const { folder } = installation
  if (!existsSync(folder)) {
    yield warn('folder', `${folder} does not exist.`, 'The first start of a server creates it.')
    return
  }
  yield await runCheck('folder', 'Choose another DATA_DIR.', () => checkOwner(folder))
  yield await runCheck('folder-mode', `chmod 700 '${folder}'`, () => checkFolderMode(folder))
  const { masterKeyFile } = installation.config
  const outside = masterKeyFile !== undefined && existsSync(masterKeyFile) ? [masterKeyFile] : []
  for (const path of [
    ...secrets.filter(installation.has).map((name) => join(folder, name)),
    ...outside,
  ]) {
    yield await runCheck('secret-mode', `chmod 600 '${path}'`, () => checkSecretMode(path))
  }
  yield await runCheck('disk', 'Check the disk.', () => checkDisk(folder))
  yield await runCheck('lock', 'Check the owner of the folder, and the disk.', () =>
    checkLock(installation),
  )
  yield checkParts(installation)
  yield checkWriter(installation)
}

/** Checks that this copy of the installation may write. */
function checkWriter({ config, folder }: Installation): Finding {
  try {
    requireWriter(folder)
    refuseDuplicate(config, folder)
    return ok('writer', 'No other copy of the installation writes, as far as this folder knows.')
  } catch (error) {
    if (!isFailure(error)) throw error
    return failed('writer', error, 'docs/guides/keys.md says how one copy follows another.')
  }
}

/** Checks that the parts of the folder are of one installation and of one time. */
function checkParts({ config, folder, unavailable }: Installation): Finding {
  if (unavailable !== undefined) return skipped('parts', unavailable)
  try {
    refuseForeignParts(config, folder)
    return ok('parts', 'The parts of the folder belong together.')
  } catch (error) {
    if (!isFailure(error)) throw error
    return failed('parts', error, keepData)
  }
}

function checkOwner(folder: string): Finding {
  const stats = statSync(folder)
  if (!stats.isDirectory())
    return fail('folder', `${folder} is not a folder.`, 'Choose another DATA_DIR.')
  // Windows has no user ids.
  const user = process.getuid?.() ?? stats.uid
  if (stats.uid === user) return ok('folder', `${folder} belongs to this user.`)
  const sentence = `${folder} belongs to user ${stats.uid}, but this is user ${user}.`
  const advice = `Run doctor as user ${stats.uid}; or, where no server runs as that user: chown -R ${user} '${folder}'`
  return fail('folder', sentence, advice)
}

const isOpen = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & 0o077) !== 0
const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8)

function checkFolderMode(folder: string): Finding {
  const stats = statSync(folder)
  if (!isOpen(stats)) return ok('folder-mode', 'No other user can open the folder.')
  const sentence = `Other users can open the folder: its mode is ${modeOf(stats)}.`
  return fail('folder-mode', sentence, `chmod 700 '${folder}'`)
}

function checkSecretMode(path: string): Finding {
  const stats = statSync(path)
  if (!isOpen(stats)) return ok('secret-mode', `No other user can read ${path}.`)
  const sentence = `Other users can read ${path}: its mode is ${modeOf(stats)}.`
  return fail('secret-mode', sentence, `chmod 600 '${path}'`)
}

function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw folderFailure(folder, error)
  }
}

async function checkDisk(folder: string): Promise<Finding> {
  requireWritable(folder)
  const free = await freeDisk(folder)
  const sentence = `The folder's disk has ${Math.floor(free / 2 ** 20)} MiB free.`
  if (free >= leastFree) return ok('disk', sentence)
  return fail('disk', sentence, `Free some space: a server needs ${leastFree / 2 ** 20} MiB.`)
}

function checkLock({ lockError, unwritable }: Installation): Finding {
  if (unwritable !== undefined) return skipped('lock', unwritable)
  if (lockError === undefined) return ok('lock', 'No server is using the folder.')
  if (!isFailure(lockError, 'folder/in-use')) throw lockError
  return ok('lock', 'A server or another command is using the folder.')
}

const blockLimit = 1000

/** Checks the blob store with a probe, and verifies the digests of its newest blocks. */
export async function* checkBlobs(installation: Installation): AsyncGenerator<Finding> {
  const otherStore = otherStoreOf(installation.config, installation.folder)
  if (otherStore !== undefined) {
    yield fail('blob-store', otherStore.message, 'Set BLOB_STORE and BLOB_URL as before.')
    return
  }
  if (!mayHaveBlobs(installation)) {
    yield missingBlobs(installation)
    return
  }
  const isElsewhere = installation.config.blobStore !== undefined
  const advice = isElsewhere ? 'Check BLOB_STORE and BLOB_URL.' : 'Check the disk.'
  if (installation.unavailable === undefined) {
    yield await runCheck('blob-store', advice, () =>
      withBlobStore(installation, (store) => probe(store, advice)),
    )
  } else yield skipped('blob-store', installation.unavailable)
  yield* verifyBlocks(installation, advice)
  yield* warnOfPlace(installation)
}

function missingBlobs({ folder, unavailable }: Installation): Finding {
  const needed = partNeedingBlobs(folder)
  if (needed === undefined) return skipped('blob-store', unavailable ?? 'there are no blobs yet')
  const sentence = `${join(folder, blobFolder)} is missing, and ${join(folder, needed)} needs it.`
  return fail('blob-store', sentence, 'Restore it from a backup.')
}

async function probe(store: OpenBlobStore, advice: string): Promise<Finding> {
  const bytes = randomBytes(64)
  const digest = await store.put(bytes)
  const isSame = bytes.equals(await store.get(digest))
  await store.remove(digest)
  if (isSame) return ok('blob-store', 'The store wrote, read and removed a probe.')
  return fail('blob-store', 'The store returned other bytes than it was given.', advice)
}

/** Verifies the newest blocks of a storage that can list them. */
async function* verifyBlocks(installation: Installation, advice: string): AsyncGenerator<Finding> {
  const storage = await storageOf(installation).catch(() => undefined)
  const { verify } = storage ?? {}
  // The check of the store itself has reported a storage that cannot be loaded.
  if (verify === undefined) return
  yield await runCheck('blocks', advice, async () => {
    const { checked, corrupt } = await verify(blockLimit)
    if (corrupt.length === 0) {
      return ok('blocks', `The blocks that were read (${checked}) match their digests.`)
    }
    const sentence = `Of the ${checked} blocks that were read, these are corrupt: ${corrupt.join(', ')}.`
    return fail('blocks', sentence, 'Restore them from a replica or a backup, and check the disk.')
  })
}

/** Says what an operator should know of the place of the blobs. */
async function* warnOfPlace(installation: Installation): AsyncGenerator<Finding> {
  const storage = await storageOf(installation).catch(() => undefined)
  // The check of the store itself has reported a storage that cannot be loaded or read.
  const sentences = (await storage?.warnings?.().catch(() => [])) ?? []
  for (const sentence of sentences) yield warn('blob-place', sentence, 'Read docs/storage.md.')
}
