import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDataFolder } from '@heirloom/adapters/data-folder'
import { isFailure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { type Finding, warn } from './finding.ts'

/** An installation that is being looked at. */
export type Site = {
  readonly config: Config
  readonly folder: string
  /** Why what needs the folder for itself cannot be looked at; absent where it is ours. */
  readonly closed: string | undefined
  /** What opening the folder failed with. */
  readonly refusal: unknown
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Tells whether the folder has something by that name. */
  readonly has: (name: string) => boolean
  readonly leave: () => void
}

/** Takes the data folder where that is possible; makes none. */
export function visit(config: Config): Site {
  const folder = resolve(config.dataDir)
  const has = (name: string) => existsSync(join(folder, name))
  const site = { config, folder, has, now: () => Date.now() }
  if (!existsSync(folder)) {
    const closed = 'there is no data folder yet'
    return { ...site, closed, refusal: undefined, leave: () => undefined }
  }
  try {
    const lock = openDataFolder(folder)
    return { ...site, closed: undefined, refusal: undefined, leave: lock.close }
  } catch (refusal) {
    const used = isFailure(refusal, 'folder/in-use')
    const closed = used ? 'a server is using the folder' : 'the folder cannot be used'
    return { ...site, closed, refusal, leave: () => undefined }
  }
}

/** Says that a part was not looked at. */
export const skipped = (name: string, why: string): Finding =>
  warn(name, `Not looked at: ${why}.`, 'Change that and look again.')
