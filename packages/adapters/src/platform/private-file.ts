import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

/** What SQLite keeps beside a file; it makes them with the mode of the file. */
const beside = ['', '-wal', '-shm', '-journal']

/**
 * Makes a file of SQLite for this user alone where it is missing, takes from others what they may
 * do with one that is there, and returns its path. `:memory:` is no file.
 */
export function privateFile(path: string): string {
  if (path === ':memory:') return path
  // One that is there must not be opened: to close it would end the locks that this process has.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  for (const suffix of beside) refuseOthers(`${path}${suffix}`)
  return path
}

function refuseOthers(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  // Only its owner can change a mode, and Windows has none.
  if (!stats?.isFile() || stats.uid !== process.getuid?.()) return
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}
