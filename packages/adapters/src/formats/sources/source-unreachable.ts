/** A live source that does not answer; its code is `import/unreachable`. */
export class SourceUnreachable extends Error {
  override readonly name = 'SourceUnreachable'
  readonly code = 'import/unreachable'

  constructor(subject: string, cause: unknown) {
    super(`${subject} does not answer (${reasonOf(cause)}).`, { cause })
  }
}

function reasonOf(error: unknown): string {
  const { cause, code, message } = Object(error)
  return String(Object(cause).code ?? (typeof code === 'string' ? code : message))
}
