import { wholeBps } from '@heirloom/core'
import { UsageError } from './usage-error.ts'

/**
 * Reads a share in basis points.
 *
 * @throws a `UsageError` that names the option
 */
export function readBps(option: string, text: string): number {
  const bps = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (bps <= wholeBps) return bps
  throw new UsageError(
    `${option} must be a whole number of basis points from 0 to ${wholeBps}; 500 is 5 %.`,
  )
}
