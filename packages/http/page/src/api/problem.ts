/** An error in words for a person: what happened and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** Tells the user what to do. */
  readonly remedy: string
  /** The code of the server or the contracts. */
  readonly code: string | undefined
  /** Whether a retry may succeed. */
  readonly isRetryable: boolean
  /** The seconds to wait before a retry, if the server gives them. */
  readonly wait: number | undefined

  constructor(
    sentence: string,
    remedy: string,
    options: {
      readonly code?: string | undefined
      readonly isRetryable?: boolean
      readonly wait?: number | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(sentence, { cause: options.cause })
    this.remedy = remedy
    this.code = options.code
    this.isRetryable = options.isRetryable ?? false
    this.wait = options.wait
  }
}

/** Converts any error to a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    'An unexpected error occurred in this page.',
    'Reload the page and try again. The browser console has the details.',
    { cause: error },
  )
}

/** Returns the problem of a server that does not answer. */
export const unreachable = (cause?: unknown): Problem =>
  new Problem(
    'The server does not answer.',
    'Check that it is running and that you are online. This page continues when the server is back.',
    { code: 'server/unreachable', isRetryable: true, cause },
  )
