import { wholeBps } from '@heirloom/core'
import { shownValue } from './shown-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads a share: basis points, as in `500`, or a percentage, as in `5%` or `12.5%`.
 *
 * @returns basis points
 * @throws a `UsageError` that names the option
 */
export function readBps(option: string, text: string): number {
  const [, whole = '', fraction = ''] = /^([0-9]{1,3})(?:\.([0-9]{1,2}))? ?%$/.exec(text) ?? []
  const digits = whole === '' ? text : `${whole}${fraction.padEnd(2, '0')}`
  const bps = /^[0-9]{1,5}$/.test(digits) ? Number(digits) : Number.NaN
  if (bps <= wholeBps) return bps
  throw new UsageError(
    `${option} must be a percentage from 0% to 100%, as in 5% or 12.5%, or basis points: 500 is 5%${shownValue(text)}.`,
  )
}
