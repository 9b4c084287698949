import { Failure } from '@heirloom/core'

/** Throws `import/malformed`; `problem` completes the sentence "… cannot be taken: …". */
export function throwMalformed(subject: string, problem: string, cause?: unknown): never {
  throw new Failure('import/malformed', { what: subject, problem }, { cause })
}
