import type { FailureCode, Failures } from '@heirloom/core'

/** What can go wrong on this side of the wire, and the facts of each. */
export type ClientFailures = {
  /** The caller's signal ended the call. */
  'client/aborted': Record<never, never>
  /** The server answered, but not as this API does. */
  'client/bad-answer': { readonly problem: string }
  /** Memories are opened by an account, and the client has none. */
  'client/no-account': Record<never, never>
  /** What came is not what is recorded; nothing of it was returned. */
  'client/not-verified': { readonly tokenId: string; readonly problem: string }
  /** No answer came. */
  'client/unreachable': { readonly method: string; readonly path: string }
}

/** A code of a failure on this side. */
export type ClientCode = keyof ClientFailures

/** Every code that an error of the client can have. */
export type HeirloomCode = FailureCode | ClientCode

/** The facts of a failure; amounts and ids of the server's arrive as decimal strings. */
export type FactsOf<code extends HeirloomCode> = code extends FailureCode
  ? { readonly [fact in keyof Failures[code]]: Sent<Failures[code][fact]> }
  : code extends ClientCode
    ? ClientFailures[code]
    : never

type Sent<T> = T extends bigint
  ? string
  : T extends number
    ? number
    : T extends `0x${string}`
      ? `0x${string}`
      : T

declare namespace HeirloomError {
  type Parts<code extends HeirloomCode> = {
    readonly code: code
    readonly facts: FactsOf<code>
    readonly message: string
    readonly status?: number | undefined
    readonly retryable?: boolean | undefined
    readonly retryAfter?: string | undefined
    readonly cause?: unknown
  }
}

/** The only error the client throws on purpose. Match on `code`; never on the message. */
export class HeirloomError<code extends HeirloomCode = HeirloomCode> extends Error {
  override readonly name = 'HeirloomError'
  readonly code: code
  readonly facts: FactsOf<code>
  /** The status of the server's answer, if it gave one. */
  readonly status: number | undefined
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean
  /** The server's `Retry-After`, if it gave one. */
  readonly retryAfter: string | undefined

  constructor(parts: HeirloomError.Parts<code>) {
    super(parts.message, { cause: parts.cause })
    this.code = parts.code
    this.facts = parts.facts
    this.status = parts.status
    this.retryable = parts.retryable ?? false
    this.retryAfter = parts.retryAfter
  }
}

/** Tells an error of the client, or one of one code, from any other thrown value. */
export function isHeirloomError<code extends HeirloomCode = HeirloomCode>(
  error: unknown,
  code?: code,
): error is { [each in code]: HeirloomError<each> }[code] {
  return error instanceof HeirloomError && (code === undefined || error.code === code)
}
