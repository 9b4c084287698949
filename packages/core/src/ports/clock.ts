import type { Instant } from '../domain/time.ts'

/**
 * Tells the time.
 *
 * Laws
 * - tells a moment
 * - never goes back
 */
export interface Clock {
  /** Returns the present moment. */
  now(): Instant
}
