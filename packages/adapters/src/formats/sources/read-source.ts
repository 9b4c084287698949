import { Failure } from '@heirloom/core'
import type { Omission } from '../import-report.ts'
import type { SourceFile } from '../source-file.ts'

/** Describes what was read of a database or a server: a file that `importMemory` takes, and what is not in it. */
export type ReadSource = { readonly file: SourceFile; readonly left: readonly Omission[] }

/** Returns the failure of a live source that does not answer, with the reason of the network. */
export const unreachable = (what: string, cause: unknown): Failure =>
  new Failure('import/unreachable', { what, reason: reasonOf(cause) }, { cause })

function reasonOf(error: unknown): string {
  const { cause, code, message } = Object(error)
  return String(Object(cause).code ?? (typeof code === 'string' ? code : message))
}
