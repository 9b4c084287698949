import { Failure } from '../failure.ts'
import type { Instant } from './time.ts'

/** The longest rental, and the furthest ahead that a renewal may reach, in days. */
export const longestRental = 365

/**
 * Returns `days` when a rental can last that long: a whole number from 1 to 365.
 *
 * @throws `rental/bad-duration`
 */
export function rentalDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > longestRental) {
    throw new Failure('rental/bad-duration', { days, limit: longestRental })
  }
  return days
}

/** Tells whether a rental that ends at `expiresAt` still runs; at that very moment it has ended. */
export function isActive(expiresAt: Instant | undefined, now: Instant): boolean {
  return expiresAt !== undefined && expiresAt > now
}
