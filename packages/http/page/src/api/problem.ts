/** Something that went wrong, in words for a person: what it was and what to do now. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** What the person can do. */
  readonly remedy: string
  /** The server's or the contracts' own name for it, to tell others. */
  readonly code: string | undefined
  /** Whether the same may succeed when it is tried again. */
  readonly isPassing: boolean
  /** How long to wait before that, in seconds, where the server says so. */
  readonly wait: number | undefined

  constructor(
    sentence: string,
    remedy: string,
    options: {
      readonly code?: string | undefined
      readonly isPassing?: boolean
      readonly wait?: number | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(sentence, { cause: options.cause })
    this.remedy = remedy
    this.code = options.code
    this.isPassing = options.isPassing ?? false
    this.wait = options.wait
  }
}

/** Returns any error as a problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    'Something unexpected happened in this page.',
    'Reload it and try again; the console of the browser tells more.',
    { cause: error },
  )
}

/** Tells of a server that does not answer at all. */
export const unreachable = (cause?: unknown): Problem =>
  new Problem(
    'The server does not answer.',
    'See that it runs and that you are connected; this page goes on by itself once it is back.',
    { code: 'server/unreachable', isPassing: true, cause },
  )
