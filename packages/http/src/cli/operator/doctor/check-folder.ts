import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { folderFailure } from '@heirloom/adapters/internal/platform'
import { isFailure } from '@heirloom/core'
import { refuseCopy } from '../../../server/folder-place.ts'
import { refuseForeignParts } from '../../../server/foreign-parts.ts'
import { freeDisk, leastFree } from '../../../server/health/free-disk.ts'
import { requireWriter } from '../../../server/installation.ts'
import { type Finding, fail, failed, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

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
    refuseCopy(config, folder)
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
    return failed('parts', error, 'Restore the data folder from one backup.')
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
  return fail('folder', sentence, `chown -R ${user} '${folder}'`)
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
