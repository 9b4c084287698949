import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import {
  type InstallationRecord,
  readInstallation,
  writeInstallation,
} from '../../server/installation.ts'

type Original = { readonly host: string; readonly folder: string }

type Copy = {
  readonly own: Pick<InstallationRecord, 'id' | 'epoch'>
  readonly folder: string
}

/**
 * Keeps an original on this machine from starting again; returns false if it is not here.
 *
 * @throws `folder/in-use` when it runs
 */
export function supersede({ host, folder: original }: Original, { own, folder }: Copy): boolean {
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
