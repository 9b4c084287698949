import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDataFolder } from '@heirloom/adapters/data-folder'
import { isFailure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { type Finding, warn } from './finding.ts'

/** An installation under examination: its configuration and its data folder. */
export type Installation = {
  readonly config: Config
  readonly folder: string
  /** The reason why the folder could not be locked; undefined while this process holds the lock. */
  readonly unavailable: string | undefined
  /** The error of locking the folder. */
  readonly lockError: unknown
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
  const common = { config, folder, has, now: () => Date.now() }
  if (!existsSync(folder)) {
    const unavailable = 'there is no data folder yet'
    return { ...common, unavailable, lockError: undefined, close: () => undefined }
  }
  try {
    const lock = openDataFolder(folder)
    return { ...common, unavailable: undefined, lockError: undefined, close: lock.close }
  } catch (lockError) {
    const isUsed = isFailure(lockError, 'folder/in-use')
    const unavailable = isUsed ? 'a server is using the folder' : 'the folder cannot be used'
    return { ...common, unavailable, lockError, close: () => undefined }
  }
}

/** Returns the finding for a part that was not checked. */
export const skipped = (name: string, reason: string): Finding =>
  warn(name, `Not checked: ${reason}.`, 'Resolve that first, then run doctor again.')
