import { wholeBps } from '@heirloom/core'
import { UsageError } from './usage-error.ts'

/** Returns the share that an option gives in basis points. */
export function readBps(option: string, text: string): number {
  const bps = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (bps <= wholeBps) return bps
  throw new UsageError(`${option} must be a whole number of basis points, 0 to ${wholeBps}.`)
}
