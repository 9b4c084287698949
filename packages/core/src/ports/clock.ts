import type { Instant } from '../values/branded.ts'

/**
 * Returns the time.
 *
 * Laws
 * - returns a valid instant
 * - never goes back
 */
export interface Clock {
  /** Returns the current time. */
  now(): Instant
}
