import type { FailureCode, Failures } from './failure-facts.ts'
import { sentences } from './failure-sentences.ts'

/** The only error thrown on purpose. Match on `code`; never on the message. */
export class Failure<code extends FailureCode = FailureCode> extends Error {
  override readonly name = 'Failure'
  readonly code: code
  readonly facts: Failures[code]

  constructor(code: code, facts: Failures[code], options?: { readonly cause: unknown }) {
    super(sentences[code](facts), options)
    this.code = code
    this.facts = facts
  }
}

/** Every failure code, in alphabetical order. */
export const failureCodes = Object.keys(sentences) as readonly FailureCode[]

/**
 * Returns whether a thrown value is a failure, optionally of one code. Recognises it by its name,
 * code and facts: a module that a server loads may bring its own copy of this package, and so of the
 * class.
 */
export function isFailure<code extends FailureCode = FailureCode>(
  error: unknown,
  code?: code,
): error is Failure<code> {
  if (!(error instanceof Error) || error.name !== 'Failure') return false
  if (!('code' in error && 'facts' in error) || Object(error.facts) !== error.facts) return false
  return code === undefined
    ? typeof error.code === 'string' && Object.hasOwn(sentences, error.code)
    : error.code === code
}
