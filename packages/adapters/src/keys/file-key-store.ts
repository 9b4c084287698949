import { join } from 'node:path'
import { keyFormat } from './key-document.ts'
import { type FileSteps, fileSteps, readTextIfPresent, replaceKeyFile } from './key-file.ts'
import type { KeyStore } from './key-store.ts'
import { documentInFile } from './stored-document.ts'

/** The file in a data folder that holds the wrapped sealing keys. */
export const keyFile = 'sealing.keys'

/** The file in a data folder that lists the ids of destroyed sealing keys; it holds no secret. */
export const destroyedFile = 'destroyed.keys'

/**
 * Opens the key store in a folder that no other process writes to.
 *
 * The ids of destroyed keys are also in a separate file, so that a key file restored from a backup
 * does not restore keys that were destroyed since.
 */
export function fileKeyStore({ folder, steps = fileSteps }: fileKeyStore.Input): KeyStore {
  const list = join(folder, destroyedFile)
  const destroyed = () => new Set(readTextIfPresent(list)?.match(/^[0-9a-f]{32}$/gm))
  return {
    ...documentInFile(join(folder, keyFile), keyFormat, steps),
    destroyed: async () => destroyed(),
    noteDestroyed: async (ids) => {
      const before = destroyed()
      const all = new Set([...before, ...ids])
      if (all.size === before.size) return
      replaceKeyFile(list, [...all, ''].join('\n'), steps)
    },
  }
}

export declare namespace fileKeyStore {
  type Input = {
    readonly folder: string
    /** The steps of replacing a file; those on the file system by default. */
    readonly steps?: FileSteps
  }
}
