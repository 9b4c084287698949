import { heirDayLimits } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads the days of a silence or of a notice.
 *
 * @throws a `UsageError` that names the option
 */
export function readHeirDays(option: string, text: string): number {
  const { least, most } = heirDayLimits
  const days = /^[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (days >= least && days <= most) return days
  throw new UsageError(
    `${option} must be a whole number of days from ${least} to ${most}${shownValue(text)}.`,
  )
}
