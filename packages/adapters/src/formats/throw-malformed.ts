import { Failure } from '@heirloom/core'

/** Refuses what cannot be taken in or given back; `problem` completes "it cannot be taken: …". */
export function malformed(what: string, problem: string, cause?: unknown): never {
  throw new Failure('import/malformed', { what, problem }, { cause })
}
