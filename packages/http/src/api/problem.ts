import type { Failure, FailureCode } from '@heirloom/core'
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

/** The failures of any request. */
export const anyRequest: readonly FailureCode[] = [
  'request/foreign-host',
  'request/malformed',
  'request/too-many',
  'service/stopping',
  'service/unexpected',
]

/** The failures of any read of the catalogue that may wait. */
export const anyCatalogueRead: readonly FailureCode[] = [
  ...anyRequest,
  'catalogue/busy',
  'catalogue/too-costly',
  'catalogue/unavailable',
]

/** The failures of any read of the catalogue about one token. */
export const anyTokenRead: readonly FailureCode[] = [
  ...anyCatalogueRead,
  'catalogue/behind',
  'ledger/unavailable',
  'token/not-found',
  'value/invalid',
]

/** The failures of any read of the chain. */
export const anyRead: readonly FailureCode[] = [...anyRequest, 'ledger/unavailable']

/** The failures of any request with a body. */
export const anyBody: readonly FailureCode[] = [
  'json/duplicate-member',
  'json/malformed',
  'json/too-deep',
  'request/foreign-origin',
  'request/too-large',
  'request/wrong-type',
]

/** The failures of any write. */
export const anyWrite: readonly FailureCode[] = [
  ...anyRead,
  ...anyBody,
  'idempotency/key-reused',
  'key-service/unavailable',
  'key-service/wrong-key',
  'store/unavailable',
  'api-key/call-limit',
  'api-key/day-limit',
  'api-key/out-of-scope',
  'request/not-authorized',
  'transaction/cancelled',
  'transaction/gas-too-low',
  'transaction/reverted',
  'transaction/unconfirmed',
  'transaction/unknown',
  'transaction/would-fail',
  'value/invalid',
  'wallet/call-limit',
  'wallet/day-limit',
  'wallet/shared',
  'wallet/short',
]

/** Returns the failure responses of a route for the OpenAPI document: for each status, its codes. */
export function problemResponses(codes: readonly FailureCode[]): object {
  const distinct = [...new Set(codes)]
  const statuses = [...new Set(distinct.map((code) => statusOf[code].status))].toSorted()
  const described = statuses.map((status) => {
    const ofStatus = distinct.filter((code) => statusOf[code].status === status).toSorted()
    return [status, problemResponse(ofStatus)] as const
  })
  return Object.fromEntries(described)
}

function problemResponse(codes: readonly FailureCode[]) {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
  }
}
