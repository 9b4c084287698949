import { formatExactTime } from '../text/moment.ts'

const secondsPerDay = 86_400

/**
 * Describes the end of a rental, in seconds, and that after some more days: the contract adds them to
 * the current rental.
 */
export function describeExtension(end: number, days: number | undefined): string {
  const current = `You rent it until ${formatExactTime(end)}`
  if (days === undefined) return `${current}.`
  const more = days === 1 ? '1 more day' : `${days} more days`
  return `${current}; ${more}: until ${formatExactTime(end + days * secondsPerDay)}.`
}
