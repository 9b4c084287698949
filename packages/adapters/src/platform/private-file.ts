import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

/** The files of one SQLite database; SQLite creates the others with the mode of the first. */
const suffixes = ['', '-wal', '-shm', '-journal']

/**
 * Creates a SQLite file that only this user can access, or removes the access of other users to an
 * existing one, and returns its path. `:memory:` is no file.
 */
export function privateFile(path: string): string {
  if (path === ':memory:') return path
  // An existing file must not be opened here: closing it would release this process's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  for (const suffix of suffixes) restrictToOwner(`${path}${suffix}`)
  return path
}

function restrictToOwner(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  // Only the owner can change a file mode, and Windows has none.
  if (!stats?.isFile() || stats.uid !== process.getuid?.()) return
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}
