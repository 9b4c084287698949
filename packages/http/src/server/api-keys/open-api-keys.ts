import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { invalidVariable } from '../../config/environment.ts'
import type { StoredKey } from './key-file.ts'
import { type KeyRing, keyRing } from './key-ring.ts'

/** The API keys of a running server, which are reloaded when their file changes. */
export type OpenApiKeys = {
  readonly ring: KeyRing
  /** Reads the file again; an invalid file leaves the keys unchanged. */
  readonly reload: () => void
  readonly close: () => Promise<void>
}

/** The outcome of a reload of the key file. */
export type ApiKeysEvent =
  | { readonly kind: 'reloaded'; readonly keys: number }
  | { readonly kind: 'rejected'; readonly error: unknown }

export declare namespace openApiKeys {
  type Options = {
    readonly observe: (event: ApiKeysEvent) => void
    /** The interval at which the file is checked, in milliseconds. */
    readonly interval?: number
  }
}

/**
 * Opens the configured API keys. Their file is reloaded when it changes, and on SIGHUP.
 *
 * @throws `config/invalid`
 */
export async function openApiKeys(
  { apiKeys: plain, apiKeysFile: path }: Pick<Config, 'apiKeys' | 'apiKeysFile'>,
  { observe, interval = 1000 }: openApiKeys.Options,
): Promise<OpenApiKeys> {
  if (path === undefined) {
    return { ring: keyRing({ plain }), reload: () => {}, close: async () => {} }
  }
  const parseKeyFile = await loadParser()
  const readStored = () => parseKeyFile(textOf(path))
  // Taken before the file is read, so that a change during the read is seen later.
  let seen = await versionOf(path)
  const ring = keyRing({ plain, stored: readStored() })
  const reload = () => {
    try {
      const stored = readStored()
      ring.replace(stored)
      observe({ kind: 'reloaded', keys: stored.length })
    } catch (error) {
      observe({ kind: 'rejected', error })
    }
  }
  const check = async () => {
    const version = await versionOf(path)
    if (version === seen) return
    seen = version
    reload()
  }
  // Polling also sees a file that a network drive or a container replaces.
  const timer = setInterval(check, interval).unref()
  process.on('SIGHUP', reload)
  const close = async () => {
    clearInterval(timer)
    process.off('SIGHUP', reload)
  }
  return { ring, reload, close }
}

/**
 * Reads the keys of a file.
 *
 * @throws `config/invalid`
 */
export async function readKeyFile(path: string): Promise<readonly StoredKey[]> {
  return (await loadParser())(textOf(path))
}

// The validation takes time to load, and most servers have no key file.
const loadParser = async () => (await import('./key-file.ts')).parseKeyFile

/** Returns what changes with each version of a file; empty when there is no file. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return [ino, size, mtimeNs].join(' ')
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw invalidVariable(
      'API_KEYS_FILE',
      'names no file that can be read; heirloom api-key new makes one',
    )
  }
}
