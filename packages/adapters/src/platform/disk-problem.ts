import { Failure } from '@heirloom/core'
import { causes } from './error-words.ts'

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
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EIO: broken,
}

/** By the result code of SQLite. */
const ofSqlite: Readonly<Record<number, DiskProblem>> = { 8: readOnly, 10: broken, 13: full }

/** Returns the problem of a disk that an error or one of its causes names; `undefined` if none does. */
export function diskProblem(error: unknown): DiskProblem | undefined {
  return [...causes(error)].map(ownProblem).find((it) => it !== undefined)
}

function ownProblem(error: object): DiskProblem | undefined {
  const { code, errcode, syscall } = error as { readonly [name: string]: unknown }
  const isSystem = typeof code === 'string' && syscall !== undefined && syscall !== 'connect'
  return isSystem ? ofSystem[code] : ofSqlite[Number(errcode) & 0xff]
}

/** The result codes of SQLite for a file that is damaged, or is no database. */
const damages: ReadonlySet<number> = new Set([11, 26])

/** Returns whether an error or one of its causes says that a SQLite file is damaged. */
export const isDamaged = (error: unknown): boolean =>
  [...causes(error)].some((it) => 'errcode' in it && damages.has(Number(it.errcode) & 0xff))

const sqliteBusy = 5

/** Returns the failure that explains why a folder, or a SQLite file in it, cannot be used. */
export function folderFailure(folder: string, cause: unknown, file?: string): Failure {
  const isLocked = cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy
  if (isLocked) return new Failure('folder/in-use', { folder }, { cause })
  return new Failure('folder/unusable', { folder, problem: problemOf(cause, file) }, { cause })
}

function problemOf(cause: unknown, file: string | undefined): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (file !== undefined && isDamaged(cause)) {
    return `${file} is damaged (${message}); restore it from the newest backup`
  }
  const known = diskProblem(cause)
  return known === undefined ? message : `${known.problem} (${message}); ${known.remedy}`
}
