import { join } from 'node:path'
import { type FileSteps, fileSteps, readTextIfPresent, replaceKeyFile } from './key-file.ts'
import { type KeyDocument, keyFormat } from './key-record.ts'
import { documentInFile, type StoredDocument } from './stored-document.ts'

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

/**
 * Stores the key document of one server, or of several that share a database.
 *
 * Laws
 * - is empty at first
 * - reads back what was committed
 * - refuses a commit that does not follow the stored epoch
 * - accepts exactly one of several concurrent commits
 * - has destroyed no keys at first
 * - keeps the ids of destroyed keys when an older document is restored
 */
export type KeyStore = StoredDocument<KeyDocument> & {
  /** Returns the ids of all keys that were ever destroyed here, independent of the document. */
  readonly destroyed: () => Promise<ReadonlySet<string>>
  /** Adds ids of destroyed keys, permanently. */
  readonly noteDestroyed: (ids: readonly string[]) => Promise<void>
}
