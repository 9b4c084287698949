import { Failure } from '../failure.ts'
import type { Instant } from './time.ts'

/** The longest rental, and the latest end of a renewal from now, in days. */
export const maxRentalDays = 365

/**
 * Returns `days` when it is a valid duration: a whole number from 1 to 365.
 *
 * @throws `rental/bad-duration`
 */
export function rentalDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > maxRentalDays) {
    throw new Failure('rental/bad-duration', { days, limit: maxRentalDays })
  }
  return days
}

/** Returns whether a rental is active before `expiresAt`; at this instant it has ended. */
export function isActive(expiresAt: Instant | undefined, now: Instant): boolean {
  return expiresAt !== undefined && expiresAt > now
}
