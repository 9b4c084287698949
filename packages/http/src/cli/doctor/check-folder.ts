import { existsSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '@heirloom/core'
import { type Finding, fail, found, ok, warn } from './finding.ts'
import type { Site } from './installation.ts'
import { freeDisk, leastFree } from '../../server/health/free-disk.ts'

const secrets = ['agent.key', 'master.keys', 'sealing.keys']

/** Looks at the data folder: whose it is, who can read it, how much room it has, who uses it. */
export async function* folderFindings(site: Site): AsyncGenerator<Finding> {
  const { folder } = site
  if (!existsSync(folder)) {
    yield warn('folder', `${folder} does not exist.`, 'The first start of a server makes it.')
    return
  }
  yield await found('folder', 'Choose another DATA_DIR.', () => ownership(folder))
  yield await found('folder-mode', `chmod 700 '${folder}'`, () => folderMode(folder))
  const { masterKeyFile } = site.config
  const outside = masterKeyFile !== undefined && existsSync(masterKeyFile) ? [masterKeyFile] : []
  for (const path of [...secrets.filter(site.has).map((name) => join(folder, name)), ...outside]) {
    yield await found('secret-mode', `chmod 600 '${path}'`, () => secretMode(path))
  }
  yield await found('disk', 'Look at the disk.', () => disk(folder))
  yield await found('lock', 'Look at whose folder it is, and at the disk.', () => usage(site))
}

function ownership(folder: string): Finding {
  const stats = statSync(folder)
  if (!stats.isDirectory())
    return fail('folder', `${folder} is no folder.`, 'Choose another DATA_DIR.')
  // Windows has no such owners.
  const us = process.getuid?.() ?? stats.uid
  if (stats.uid === us) return ok('folder', `${folder} is ours.`)
  const sentence = `${folder} belongs to user ${stats.uid}, and this is user ${us}.`
  return fail('folder', sentence, `chown -R ${us} '${folder}'`)
}

const isOpen = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & 0o077) !== 0
const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8)

function folderMode(folder: string): Finding {
  const stats = statSync(folder)
  if (!isOpen(stats)) return ok('folder-mode', 'No other user can enter the folder.')
  const sentence = `Other users can enter the folder: its mode is ${modeOf(stats)}.`
  return fail('folder-mode', sentence, `chmod 700 '${folder}'`)
}

function secretMode(path: string): Finding {
  const stats = statSync(path)
  if (!isOpen(stats)) return ok('secret-mode', `No other user can read ${path}.`)
  const sentence = `Other users can read ${path}: its mode is ${modeOf(stats)}.`
  return fail('secret-mode', sentence, `chmod 600 '${path}'`)
}

async function disk(folder: string): Promise<Finding> {
  const free = await freeDisk(folder)
  const sentence = `The folder's disk has ${Math.floor(free / 2 ** 20)} MiB free.`
  if (free >= leastFree) return ok('disk', sentence)
  return fail('disk', sentence, `Make room: a server needs ${leastFree / 2 ** 20} MiB.`)
}

function usage({ refusal }: Site): Finding {
  if (refusal === undefined) return ok('lock', 'No server is using the folder.')
  if (!isFailure(refusal, 'folder/in-use')) throw refusal
  const sentence = 'A server is using the folder, so some parts are not looked at.'
  return warn('lock', sentence, 'Stop it and look again.')
}
