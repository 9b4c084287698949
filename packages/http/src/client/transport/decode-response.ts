import type { FailureCode } from '@heirloom/core'
import { type FactsOf, HeirloomError } from '../heirloom-error.ts'

/** What came back, read to its end. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Returns the JSON of a good answer.
 *
 * @throws `client/bad-answer`
 */
export function jsonOf<T extends object>({ status, bytes }: Answer): T {
  const text = new TextDecoder().decode(bytes)
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told === 'object' && told !== null) return told as T
  } catch (cause) {
    throw badAnswer('it is not JSON', { status, cause })
  }
  throw badAnswer('it is no JSON object', { status })
}

/** Returns the error that an answer tells of. */
export function refusalOf(answer: Answer): HeirloomError {
  const { status, headers } = answer
  const retryAfter = headers.get('retry-after') ?? undefined
  const type = headers.get('content-type') ?? ''
  const isProblem = type.startsWith('application/problem+json')
  const problem = isProblem ? jsonOf<Problem>(answer) : undefined
  // Others between here and there may speak of problems too, without codes.
  if (typeof problem?.code !== 'string') return badAnswer(saying(status), { status, retryAfter })
  return new HeirloomError({
    code: problem.code,
    facts: problem.facts,
    message: problem.detail,
    status,
    retryable: problem.retryable,
    retryAfter,
  })
}

type Problem = {
  readonly code?: FailureCode
  readonly facts: FactsOf<FailureCode>
  readonly detail: string
  readonly retryable: boolean
}

const saying = (status: number): string =>
  // A browser tells nothing of where it leads, not even the status.
  status === 0 || (status >= 300 && status < 400)
    ? 'it leads elsewhere; give the client the url that it leads to'
    : `it has the status ${status} and says no more`

type Circumstances = {
  readonly status?: number
  readonly retryAfter?: string | undefined
  readonly cause?: unknown
}

/** Returns the error for an answer that is not of this API. */
export function badAnswer(problem: string, more: Circumstances = {}): HeirloomError {
  return new HeirloomError({
    code: 'client/bad-answer',
    facts: { problem },
    message: `The answer cannot be used: ${problem}.`,
    ...more,
  })
}
