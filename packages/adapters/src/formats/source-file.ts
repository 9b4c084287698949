import { Failure } from '@heirloom/core'

/** A file in memory, read or to be written. */
export type SourceFile = {
  /** The path relative to the imported or exported folder, with `/` as separator. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Throws `import/malformed`; `problem` completes the sentence "… cannot be taken: …". */
export function throwMalformed(subject: string, problem: string, cause?: unknown): never {
  throw new Failure('import/malformed', { what: subject, problem }, { cause })
}
