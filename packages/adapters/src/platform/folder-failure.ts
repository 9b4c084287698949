import { Failure } from '@heirloom/core'
import { diskProblem, isDamaged } from './disk-problem.ts'

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
