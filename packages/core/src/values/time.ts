import { Failure } from '../failure.ts'
import type { Instant } from './branded.ts'

/** The length of a day, in milliseconds. */
export const day = 86_400_000

/**
 * Returns the instant.
 *
 * @throws `value/invalid`
 */
export function instant(milliseconds: number): Instant {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new Failure('value/invalid', {
      kind: 'moment',
      problem: 'must be a whole number of milliseconds since the Unix epoch',
    })
  }
  return milliseconds as Instant
}

/** Converts whole seconds since the Unix epoch to an instant. */
export const fromSeconds = (seconds: number): Instant => instant(seconds * 1000)

/** Converts an instant to whole seconds since the Unix epoch, rounded down. */
export const toSeconds = (moment: Instant): number => (moment - (moment % 1000)) / 1000

/** Returns the later of two instants. */
export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other)
