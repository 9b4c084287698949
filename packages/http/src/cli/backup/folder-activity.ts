import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The time after a write for which a folder counts as in use, in milliseconds: clients write in bursts. */
const afterglow = 1000

/** The time for which a result is used again, in milliseconds. */
const memory = 100

/**
 * Returns a function that tells whether a server has written to its data folder within the last
 * second. Each acknowledged write, and each token that the catalogue learns of, grows a database's
 * log there; a server without writes changes none.
 */
export function folderActivity(folder: string): () => boolean {
  let [isActive, readAt] = [false, Number.NEGATIVE_INFINITY]
  return () => {
    if (performance.now() - readAt < memory) return isActive
    const writtenAt = Math.max(0, ...logsIn(folder).map(changedAt))
    ;[isActive, readAt] = [Date.now() - writtenAt < afterglow, performance.now()]
    return isActive
  }
}

const logsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite-wal'))
    .map((name) => join(folder, name))

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
