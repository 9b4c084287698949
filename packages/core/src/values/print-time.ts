import type { Instant } from './branded.ts'

/** Returns an instant for people, in whole seconds of UTC, such as `2027-01-05 12:30:00 UTC`. */
export function printTime(moment: Instant): string {
  const seconds = wholes(moment, 1000)
  const [year, month, day] = dateOf(wholes(seconds, 86_400))
  const clock = [wholes(seconds, 3600) % 24, wholes(seconds, 60) % 60, seconds % 60]
  return `${pad(year, 4)}-${pad(month)}-${pad(day)} ${clock.map((it) => pad(it)).join(':')} UTC`
}

const wholes = (value: number, part: number) => (value - (value % part)) / part

const pad = (value: number, width = 2) => `${value}`.padStart(width, '0')

/**
 * Returns the year, month and day of a day after 1970-01-01. Years begin in March here, so that the leap
 * day is their last; 400 of them have 146,097 days, and months after March come in fives of 153 days.
 */
function dateOf(daysSince1970: number): readonly [number, number, number] {
  const days = daysSince1970 + 719_468
  const cycle = days % 146_097
  const leaps = wholes(cycle, 1460) - wholes(cycle, 36_524) + wholes(cycle, 146_096)
  const year = wholes(cycle - leaps, 365)
  const dayOfYear = cycle - (365 * year + wholes(year, 4) - wholes(year, 100))
  const march = wholes(5 * dayOfYear + 2, 153)
  const day = dayOfYear - wholes(153 * march + 2, 5) + 1
  const isNextYear = march > 9
  const fullYear = wholes(days, 146_097) * 400 + year + (isNextYear ? 1 : 0)
  return [fullYear, isNextYear ? march - 9 : march + 3, day]
}
