import { hash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Failure, isFailure } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import {
  type FolderPlace,
  type InstallationRecord,
  readInstallation,
  writeInstallation,
} from './installation.ts'

/** The file of a data folder that is made with it and never replaced. */
const oldestFile = 'lock.sqlite'

/** Returns the place of a data folder on a machine, by default this one. */
export function placeOf(folder: string, machine: string | undefined = machineName()): FolderPlace {
  const stats = fileOf(folder)
  return {
    file: String(stats?.ino ?? 0n),
    born: String(stats?.birthtimeNs ?? 0n),
    ...(machine !== undefined && { machine }),
    path: realpathSync(folder),
    host: hostname(),
  }
}

const fileOf = (folder: string) =>
  statSync(join(folder, oldestFile), { bigint: true, throwIfNoEntry: false })

/** Returns a digest of the id that systemd gives a machine. A container has none, as a rule. */
function machineName(): string | undefined {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim()
    return id === '' ? undefined : hash('sha256', `heirloom ${id}`).slice(0, 16)
  } catch {
    return undefined
  }
}

/**
 * Refuses a data folder that is a copy of another one, which may still write. Servers that share their
 * jobs in a database write to a chain elsewhere together, so there a copy is one more of them.
 *
 * @throws `folder/duplicated`
 */
export function refuseDuplicate(
  { chain, databaseUrl }: Pick<Config, 'chain' | 'databaseUrl'>,
  folder: string,
  machine?: string,
): void {
  if (chain.kind === 'remote' && databaseUrl !== undefined) return
  const original = originalOf(folder, readInstallation(folder), machine)
  if (original === undefined) return
  const { path, host } = original
  throw new Failure('folder/duplicated', { folder, original: `${path} on ${host}` })
}

/** Returns the place of the folder that this one is a copy of; `undefined` if it is none. */
export function originalOf(
  folder: string,
  record: InstallationRecord | undefined,
  machine?: string,
): FolderPlace | undefined {
  const there = record?.place
  if (record === undefined || there === undefined) return undefined
  const here = placeOf(folder, machine)
  const isCopied = isElsewhere(there, here)
    ? !isSameFile(there, here)
    : there.path !== here.path && isBeside(there.path, { folder, id: record.id })
  return isCopied ? there : undefined
}

/** Returns whether two places are known to be on two machines. */
const isElsewhere = (there: FolderPlace, here: FolderPlace): boolean =>
  there.machine !== undefined && here.machine !== undefined && there.machine !== here.machine

/** Returns whether files can be the same: a disk that is moved to another machine keeps their numbers. */
const isSameFile = (there: FolderPlace, here: FolderPlace): boolean =>
  there.file === here.file && (isUnborn(there) || isUnborn(here) || there.born === here.born)

/** Some file systems do not know when a file was made. */
const isUnborn = ({ born }: FolderPlace): boolean => born === '0'

type Copied = { readonly folder: string; readonly id: string }

/** Returns whether the installation is at another path as well, and not only under another name. */
function isBeside(path: string, { folder, id }: Copied): boolean {
  try {
    if (readInstallation(path)?.id !== id) return false
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
  const [one, other] = [fileOf(path), fileOf(folder)]
  return one?.dev !== other?.dev || one?.ino !== other?.ino
}

/** Notes where a data folder is, once it may write. */
export function recordPlace(folder: string, machine?: string): void {
  const record = readInstallation(folder)
  const place = placeOf(folder, machine)
  if (record === undefined || JSON.stringify(record.place) === JSON.stringify(place)) return
  writeInstallation(folder, { ...record, place })
}

/** The free disk space that a server needs, in bytes. */
export const leastFree = 64 * 2 ** 20

/** Returns the bytes that this user may still write to the disk of a folder. */
export async function freeDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Requires free space on the disk of a folder.
 *
 * @throws `folder/unusable`
 */
export async function requireFreeDisk(folder: string, least = leastFree): Promise<void> {
  if ((await freeDisk(folder)) >= least) return
  const problem = `it is on a disk with less than ${least / 2 ** 20} MiB free`
  throw new Failure('folder/unusable', { folder, problem })
}
