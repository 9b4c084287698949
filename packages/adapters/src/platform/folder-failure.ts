import { Failure } from '@heirloom/core'

const sqliteBusy = 5

/** Says why a folder cannot be worked with, in this library's terms. */
export function folderFailure(folder: string, cause: unknown): Failure {
  const held = cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy
  if (held) return new Failure('folder/in-use', { folder }, { cause })
  const problem = cause instanceof Error ? cause.message : String(cause)
  return new Failure('folder/unusable', { folder, problem }, { cause })
}
