import { databaseOutage } from '@heirloom/adapters/internal/platform'
import { Failure, isFailure } from '@heirloom/core'

/**
 * Returns an error that is no failure as one: `store/unavailable` where a database is down, for all of
 * them but the job store have failures of their own, and else `service/unexpected`.
 */
export function unexpected(cause: unknown): Failure {
  if (isFailure(cause)) return cause
  const reason = databaseOutage(cause)
  return reason === undefined
    ? new Failure('service/unexpected', {}, { cause })
    : new Failure('store/unavailable', { reason }, { cause })
}
