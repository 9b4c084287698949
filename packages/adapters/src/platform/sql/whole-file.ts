import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { privateFile } from '../durable-files.ts'

/** A new SQLite file under a name of its own, in which nothing is durable yet. */
export type UnfinishedFile = {
  readonly file: DatabaseSync
  /** Closes the file, makes it durable, and gives it its name, unless there is such a file by now. */
  finish(): void
  /** Closes the file and removes it. */
  discard(): void
}

/**
 * Makes the pages of a new file small: each commit of a few short rows writes whole pages. A file that
 * there is keeps its pages.
 */
export const smallPages = 'PRAGMA page_size = 1024;'

/**
 * Starts a SQLite file that appears whole or not at all, also when the power fails; `undefined` if
 * there is such a file. By itself SQLite waits for the disk seven times until a file has its mode and
 * its tables; this waits once. The name is durable with the first durable commit, for which SQLite
 * makes its folder durable too.
 */
export function startWholeFile(path: string): UnfinishedFile | undefined {
  if (path === ':memory:' || existsSync(path)) return undefined
  const unfinished = `${path}.${randomUUID()}.unfinished`
  const file = new DatabaseSync(privateFile(unfinished))
  // SQLite refuses to do without a journal where a connection is defensive, as those of Node are.
  file.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
  return {
    file,
    finish: () => {
      try {
        file.exec('PRAGMA journal_mode = WAL')
        file.close()
        sync(unfinished)
        // Unlike renaming, this replaces no file that another process made meanwhile.
        if (!existsSync(path)) linkSync(unfinished, path)
      } catch {
        // Not every file system has links. The process that opens the file then makes it in place.
      } finally {
        discard(file, unfinished)
      }
    },
    discard: () => discard(file, unfinished),
  }
}

/** Creates a SQLite file whole, with what `fill` writes in one transaction, unless there is such a file. */
export function createWholeFile(path: string, fill: (file: DatabaseSync) => void): void {
  const whole = startWholeFile(path)
  if (whole === undefined) return
  try {
    whole.file.exec('BEGIN')
    fill(whole.file)
    whole.file.exec('COMMIT')
    whole.finish()
  } catch (error) {
    whole.discard()
    throw error
  }
}

function discard(file: DatabaseSync, path: string): void {
  if (file.isOpen) file.close()
  rmSync(path, { force: true })
}

function sync(path: string): void {
  const handle = openSync(path, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
