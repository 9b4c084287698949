import { decimalPattern, type Failure, type FailureCode } from '@heirloom/core'
import { addressPattern } from './address.ts'
import { statusOf } from './status-of.ts'

/** The body of a refusal, as RFC 9457 has it. */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: FailureCode
  readonly facts: object
  readonly retryable: boolean
  /** The part of the server that is down. */
  readonly component?: string
  /** Every part of the server: `ok`, or the code of its failure. */
  readonly components?: Readonly<Record<string, 'ok' | FailureCode>>
}

/** Returns the body that tells a client of a failure; its cause stays here. */
export function problemOf({ code, facts, message }: Failure, answer = statusOf[code]): Problem {
  return {
    type: `urn:heirloom:failure:${code}`,
    title: titleOf(code),
    status: answer.status,
    detail: message,
    code,
    facts,
    retryable: answer.retryable,
  }
}

// RFC 9457 asks for a title that never changes with the occurrence, so the code itself serves.
function titleOf(code: FailureCode): string {
  const words = code.replace(/[/-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a person can make of the patterns that texts must match. */
export const patternMessages: Readonly<Record<string, string>> = {
  [decimalPattern]: 'must be a decimal string, without sign or leading zeros',
  [addressPattern]: 'must be a wallet address, 0x and 40 hexadecimal digits',
}
