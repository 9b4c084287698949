import { Failure } from '@heirloom/core'
import { databaseOutage } from '../platform/error-words.ts'

/** Returns the failure of what the job store did not do. */
export const storeFailure = (cause: unknown): Failure<'store/unavailable'> =>
  new Failure('store/unavailable', { reason: databaseOutage(cause) ?? 'an error' }, { cause })
