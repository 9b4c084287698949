import type { FailureCode } from '@heirloom/core'
import { type FactsOf, HeirloomError } from '../heirloom-error.ts'

/** A response with its body read. */
export type ReceivedResponse = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Decodes the JSON object of a successful response.
 *
 * @throws `client/bad-answer`
 */
export function decodeResponse<T extends object>({
  status,
  bytes,
}: Pick<ReceivedResponse, 'status' | 'bytes'>): T {
  const text = new TextDecoder().decode(bytes)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as T
  } catch (cause) {
    throw badResponse('it is not JSON', { status, cause })
  }
  throw badResponse('it is not a JSON object', { status })
}

/** Decodes the error of a failed response. */
export function decodeFailure(response: ReceivedResponse): HeirloomError {
  const { status, headers } = response
  const retryAfter = headers.get('retry-after') ?? undefined
  const type = headers.get('content-type') ?? ''
  const isProblem = type.startsWith('application/problem+json')
  const problem = isProblem ? decodeResponse<Problem>(response) : undefined
  // A proxy may also answer with a problem document, but without a code.
  if (typeof problem?.code !== 'string')
    return badResponse(describeStatus(status), { status, retryAfter })
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

const describeStatus = (status: number): string =>
  // A browser hides redirects; it reports the status 0.
  status === 0 || (status >= 300 && status < 400)
    ? 'it is a redirect; use the url it redirects to'
    : `it has the status ${status} and no failure code`

type Details = {
  readonly status?: number
  readonly retryAfter?: string | undefined
  readonly cause?: unknown
}

/** Returns the error of a response that is not of this API. */
export function badResponse(problem: string, details: Details = {}): HeirloomError {
  return new HeirloomError({
    code: 'client/bad-answer',
    facts: { problem },
    message: `The response is not valid: ${problem}.`,
    ...details,
  })
}
