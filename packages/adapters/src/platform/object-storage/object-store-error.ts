/**
 * A request to an object store that was refused or not answered. Says nothing about the object, and
 * quotes no header: the errors of the client contain access keys and signatures.
 */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'
  /** The answer of the store, such as `NoSuchBucket`, or the name of the error of the connection. */
  readonly reason: string

  constructor(error: unknown) {
    const { reason, status } = describe(error)
    super(status === undefined ? reason : `The store answered ${status} ${reason}.`)
    this.reason = reason
  }
}

function describe(error: unknown): { readonly reason: string; readonly status?: number } {
  if (!(error instanceof Error)) return { reason: 'Error' }
  const { $metadata, code, name } = error as Partial<ForeignError> & Error
  const status = $metadata?.httpStatusCode
  const reason = wordOf(code) ?? wordOf(name) ?? 'Error'
  return status === undefined ? { reason } : { reason, status }
}

type ForeignError = {
  readonly code: unknown
  readonly $metadata: { readonly httpStatusCode?: number }
}

/** Returns a text that is one word, as codes are; a message may quote what must not be logged. */
const wordOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\w{1,64}$/.test(text) ? text : undefined
