import { Failure } from '../failure.ts'

declare const brand: unique symbol

/** A moment, in whole milliseconds since the Unix epoch. */
export type Instant = number & { readonly [brand]: 'Instant' }

/** The length of a day, in milliseconds. */
export const day = 86_400_000

/**
 * Returns the moment.
 *
 * @throws `value/invalid`
 */
export function instant(milliseconds: number): Instant {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new Failure('value/invalid', {
      kind: 'moment',
      problem: 'is a whole number of milliseconds since the Unix epoch',
    })
  }
  return milliseconds as Instant
}

/** Returns the moment a whole number of seconds after the Unix epoch. */
export const fromSeconds = (seconds: number): Instant => instant(seconds * 1000)

/** Returns the whole seconds from the Unix epoch to a moment, rounded down. */
export const toSeconds = (moment: Instant): number => (moment - (moment % 1000)) / 1000

/** Returns the later of two moments. */
export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other)
