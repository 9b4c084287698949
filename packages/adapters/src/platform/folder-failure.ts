import { Failure } from '@heirloom/core'

const sqliteBusy = 5

/** Returns the failure that explains why a folder cannot be used. */
export function folderFailure(folder: string, cause: unknown): Failure {
  const isLocked = cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy
  if (isLocked) return new Failure('folder/in-use', { folder }, { cause })
  const problem = cause instanceof Error ? cause.message : String(cause)
  return new Failure('folder/unusable', { folder, problem }, { cause })
}
