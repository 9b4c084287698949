import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import { endUnfinishedJobs } from '@heirloom/adapters/internal/end-unfinished-jobs'
import type { Config } from '../../../config/config.ts'
import { originalOf, placeOf } from '../../../server/folder-place.ts'
import {
  type InstallationRecord,
  readInstallation,
  requireWriter,
  writeInstallation,
} from '../../../server/installation.ts'
import { jobFile } from '../../../server/open-job-store.ts'

/**
 * Makes a copied data folder the one that writes; changes nothing in one that is no copy. An original
 * on this machine must not be in use, and is kept from ever starting again. What the copy had only
 * begun is not sent again, because the original may have done it.
 *
 * @throws `folder/copied`, `folder/superseded`, `folder/in-use`
 */
export function adoptCopy({ dataDir, chain }: Pick<Config, 'dataDir' | 'chain'>): void {
  const folder = resolve(dataDir)
  if (!existsSync(folder)) return
  const lock = openDataFolder(folder)
  try {
    requireWriter(folder)
    const record = readInstallation(folder)
    const original = originalOf(folder, record)
    if (record === undefined || original === undefined) return
    const own: InstallationRecord = {
      ...record,
      epoch: record.epoch + 1,
      copy: randomUUID(),
      state: 'writer',
      place: placeOf(folder),
    }
    supersede({ host: original.host, folder: original.path }, { own, folder })
    const jobs = join(folder, jobFile)
    if (existsSync(jobs)) endUnfinishedJobs(jobs, chain.kind)
    // Last: until then the copy is refused, and all of this can be done again.
    writeInstallation(folder, own)
  } finally {
    lock.close()
  }
}

type Original = { readonly host: string; readonly folder: string }

type Successor = {
  readonly own: Pick<InstallationRecord, 'id' | 'epoch'>
  readonly folder: string
}

/**
 * Keeps an original on this machine from starting again; returns false if it is not here.
 *
 * @throws `folder/in-use` when it runs
 */
export function supersede(
  { host, folder: original }: Original,
  { own, folder }: Successor,
): boolean {
  if (host !== hostname() || !existsSync(original)) return false
  // It was moved away, and the copy has its place.
  if (original === folder) return false
  const lock = openDataFolder(original)
  try {
    const record = readInstallation(original)
    if (record?.id !== own.id) return false
    if (record.epoch < own.epoch) writeInstallation(original, { ...record, state: 'superseded' })
    return true
  } finally {
    lock.close()
  }
}
