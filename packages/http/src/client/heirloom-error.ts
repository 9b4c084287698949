import type { FailureCode, Failures } from '@heirloom/core'

/** The failures of the client itself, and the facts of each. */
export type ClientFailures = {
  /** The signal of the caller aborted the call. */
  'client/aborted': Record<never, never>
  /** The response is not one of this API. */
  'client/bad-answer': { readonly problem: string }
  /** The user of the wallet declined to sign or to send. */
  'client/declined': Record<never, never>
  /** The contracts that the server names are not a pair of this project, or not the expected one. */
  'client/foreign-contracts': { readonly marketplace: string; readonly problem: string }
  /** A download needs an account, and the client has none. */
  'client/no-account': Record<never, never>
  /** The name has no version with this number. */
  'client/no-version': { readonly name: string; readonly version: number | string }
  /** Two versions come from no common one, as far as the server knows. */
  'client/no-common-version': { readonly ours: string; readonly theirs: string }
  /** An act of a wallet needs a node of the chain, and none is known. */
  'client/no-node': { readonly chainId: number }
  /** The server returned another seal than the requested one; nothing was signed. */
  'client/not-as-requested': { readonly problem: string }
  /** The downloaded memory does not match the record; it was not returned. */
  'client/not-verified': { readonly tokenId: string; readonly problem: string }
  /** A memory that a framework uses was written in another form, by another program. */
  'client/unexpected-memory': { readonly problem: string }
  /** No response arrived. */
  'client/unreachable': { readonly method: string; readonly path: string }
  /** The node is one of another chain than the server names. */
  'client/wrong-chain': { readonly chainId: number; readonly expected: number }
}

/** A code of a failure of the client itself. */
export type ClientCode = keyof ClientFailures

/** Every code that an error of the client can have. */
export type HeirloomCode = FailureCode | ClientCode

/** The facts of a failure; amounts and ids from the server are decimal strings. */
export type FactsOf<code extends HeirloomCode> = code extends FailureCode
  ? { readonly [fact in keyof Failures[code]]: JsonFact<Failures[code][fact]> }
  : code extends ClientCode
    ? ClientFailures[code]
    : never

type JsonFact<T> = T extends bigint
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
  /** The HTTP status of the response, if there was one. */
  declare readonly status: number | undefined
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** The `Retry-After` header of the response, if there was one. */
  declare readonly retryAfter: string | undefined

  constructor(parts: HeirloomError.Parts<code>) {
    const { cause, status, retryAfter } = parts
    super(parts.message, cause === undefined ? {} : { cause })
    this.code = parts.code
    this.facts = parts.facts
    this.retryable = parts.retryable ?? false
    // An absent member is none at all, for a console prints the others as undefined.
    if (status !== undefined) this.status = status
    if (retryAfter !== undefined) this.retryAfter = retryAfter
  }
}

/** Returns whether a thrown value is an error of the client, of the given code if there is one. */
export function isHeirloomError<code extends HeirloomCode = HeirloomCode>(
  error: unknown,
  code?: code,
): error is { [each in code]: HeirloomError<each> }[code] {
  // By its name, so that an error of another copy of this module is one too.
  const isOurs = error instanceof Error && error.name === 'HeirloomError'
  return isOurs && (code === undefined || ('code' in error && error.code === code))
}
