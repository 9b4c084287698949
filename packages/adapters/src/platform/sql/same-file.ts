import { statSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Returns a check that an open SQLite file is still the one at its path. SQLite does not notice in WAL
 * mode that its file was removed or replaced: what it commits then is lost when the process ends.
 *
 * @returns a function that throws an error as SQLite does for a file that cannot be opened
 */
export function requireSameFile(path: string): () => void {
  if (path === ':memory:') return () => undefined
  const opened = inodeOf(path)
  return () => {
    if (inodeOf(path) === opened) return
    const errstr = `${basename(path)} was removed or replaced; put it back and start the server again`
    throw Object.assign(new Error(errstr), {
      code: 'ERR_SQLITE_ERROR',
      errcode: cannotOpen,
      errstr,
    })
  }
}

/** SQLITE_CANTOPEN */
const cannotOpen = 14

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
