import type { FailureCode } from '@heirloom/core'
import { statusOf } from './status-of.ts'

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
