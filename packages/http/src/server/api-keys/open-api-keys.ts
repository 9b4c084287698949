import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { invalid } from '../../config/environment.ts'
import { type KeyRing, keyRing } from './key-ring.ts'

/** The keys of a server that runs, which follow the file they are in. */
export type OpenApiKeys = {
  readonly ring: KeyRing
  /** Reads the file again; one that cannot be taken leaves the keys as they were. */
  readonly reload: () => void
  readonly close: () => Promise<void>
}

/** What became of a file of keys that was read again. */
export type ApiKeysEvent =
  | { readonly kind: 'reloaded'; readonly keys: number }
  | { readonly kind: 'kept'; readonly error: unknown }

export declare namespace openApiKeys {
  type Options = {
    readonly observe: (event: ApiKeysEvent) => void
    /** How often the file is looked at, in milliseconds. */
    readonly interval?: number
  }
}

/**
 * Opens the keys of a configuration. Their file is read again when it changes and on SIGHUP.
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
  // What checks a file takes a while to load, and most servers have none.
  const { readKeys } = await import('./key-file.ts')
  const keptIn = () => readKeys(textOf(path))
  const ring = keyRing({ plain, kept: keptIn() })
  const reload = () => {
    try {
      const kept = keptIn()
      ring.replace(kept)
      observe({ kind: 'reloaded', keys: kept.length })
    } catch (error) {
      observe({ kind: 'kept', error })
    }
  }
  // A look now and then also sees what a network drive or a container puts in its place.
  watchFile(path, { interval, persistent: false }, reload)
  process.on('SIGHUP', reload)
  const close = async () => {
    unwatchFile(path, reload)
    process.off('SIGHUP', reload)
  }
  return { ring, reload, close }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw invalid('API_KEYS_FILE', 'names no file that can be read; heirloom api-key new makes one')
  }
}
