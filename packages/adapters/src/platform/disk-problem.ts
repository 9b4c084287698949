/** The problem that keeps a program from using a file, and what to do about it. */
export type DiskProblem = { readonly problem: string; readonly remedy: string }

const readOnly = { problem: 'its disk is read-only', remedy: 'make it writable' }
const full = { problem: 'its disk is full', remedy: 'free some space on it' }
const forbidden = {
  problem: 'this user may not use it',
  remedy: 'give it to the user that runs the server',
}
const broken = { problem: 'its disk does not work', remedy: 'check the disk' }

/** By the code of the operating system. */
const ofSystem: Readonly<Record<string, DiskProblem>> = {
  ...{ EROFS: readOnly, ENOSPC: full, EDQUOT: full, EACCES: forbidden, EPERM: forbidden },
  EIO: broken,
}

/** By the result code of SQLite. */
const ofSqlite: Readonly<Record<number, DiskProblem>> = { 8: readOnly, 10: broken, 13: full }

/** Returns the problem of a disk that an error or one of its causes names; `undefined` if none does. */
export function diskProblem(error: unknown): DiskProblem | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, errcode, syscall, cause } = error as { readonly [name: string]: unknown }
  const isSystem = typeof code === 'string' && syscall !== undefined && syscall !== 'connect'
  const own = isSystem ? ofSystem[code] : ofSqlite[Number(errcode) & 0xff]
  return own ?? diskProblem(cause)
}

/** The result codes of SQLite for a file that is damaged, or is no database. */
const damages: ReadonlySet<number> = new Set([11, 26])

/** Returns whether an error or one of its causes says that a SQLite file is damaged. */
export function isDamaged(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { errcode, cause } = error as { readonly errcode?: number; readonly cause?: unknown }
  return (errcode !== undefined && damages.has(errcode & 0xff)) || isDamaged(cause)
}
