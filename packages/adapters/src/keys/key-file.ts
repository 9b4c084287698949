import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** The steps of replacing a file; a crash may come between any two. */
export type FileSteps = {
  /** Writes a new file that only this user can read. */
  readonly write: (path: string, text: string) => void
  /** Makes the bytes of a file, or the names in a folder, durable (fsync). */
  readonly sync: (path: string) => void
  readonly rename: (from: string, to: string) => void
}

/** The steps on the file system. */
export const fileSteps: FileSteps = {
  write: (path, text) => {
    // A file left by a crash may have another mode.
    rmSync(path, { force: true })
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  },
  sync: (path) => {
    const handle = openSync(path, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  },
  rename: renameSync,
}

/** Replaces a file atomically: after a crash it holds the old text or the new one. */
export function replaceKeyFile(path: string, text: string, steps: FileSteps): void {
  const unfinished = `${path}.unfinished`
  steps.write(unfinished, text)
  steps.sync(unfinished)
  steps.rename(unfinished, path)
  // Otherwise the new name may be lost in a power failure; Windows cannot open a folder.
  if (process.platform !== 'win32') steps.sync(dirname(path))
}

/** Reads the text of a file; `undefined` when there is no file. */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
