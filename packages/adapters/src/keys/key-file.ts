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

/** The steps in which a file is replaced; a crash may come between any two. */
export type FileSteps = {
  /** Writes a new file that only this user can read. */
  readonly write: (path: string, text: string) => void
  /** Returns once the disk has the bytes of a file, or the names in a folder. */
  readonly sync: (path: string) => void
  readonly rename: (from: string, to: string) => void
}

/** The steps as the system does them. */
export const fileSteps: FileSteps = {
  write: (path, text) => {
    // One that a crash left may have another mode.
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

/** Replaces a file in one step: after a crash it is there whole, as before or as now. */
export function replaceKeyFile(path: string, text: string, steps: FileSteps): void {
  const unfinished = `${path}.unfinished`
  steps.write(unfinished, text)
  steps.sync(unfinished)
  steps.rename(unfinished, path)
  // Without it a loss of power may forget the new name; Windows offers no handle on a folder.
  if (process.platform !== 'win32') steps.sync(dirname(path))
}

/** Returns the text of a file; `undefined` where there is none. */
export function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
