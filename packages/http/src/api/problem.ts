import { decimalPattern, type Failure, type FailureCode } from '@heirloom/core'
import { addressPattern } from './address.ts'
import { hex32Pattern, pageSizePattern } from './patterns.ts'
import { statusOf } from './status-of.ts'

/** The body of a failed request, a problem document of RFC 9457. */
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

/** Returns the problem document of a failure, without its cause. */
export function problemOf(
  { code, facts, message }: Failure,
  failureStatus = statusOf[code],
): Problem {
  return {
    type: `urn:heirloom:failure:${code}`,
    title: titleOf(code),
    status: failureStatus.status,
    detail: message,
    code,
    facts,
    retryable: failureStatus.retryable,
  }
}

// RFC 9457 requires the same title for every occurrence of a type, so it is made of the code.
function titleOf(code: FailureCode): string {
  const words = code.replace(/[/-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The messages for texts that do not match a pattern. */
export const patternMessages: Readonly<Record<string, string>> = {
  [decimalPattern]: 'must be a decimal string, without sign or leading zeros',
  [addressPattern]: 'must be a wallet address, 0x and 40 hexadecimal digits',
  [pageSizePattern]: 'must be a whole number from 1 to 100',
  [hex32Pattern]: 'must be 0x and 64 hexadecimal digits',
}
