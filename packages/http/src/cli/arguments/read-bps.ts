import { wholeBps } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads a share: a percentage, as in `5%` or `12.5%`, or basis points, as in `500bps`. A number without
 * its unit could mean either, so only `0` is one.
 *
 * @returns basis points
 * @throws a `UsageError` that names the option
 */
export function readBps(option: string, text: string): number {
  const bps = basisPoints(text) ?? percentage(text) ?? (text === '0' ? 0 : undefined)
  if (bps !== undefined && bps <= wholeBps) return bps
  const problem = /^[0-9]+(\.[0-9]+)?$/.test(text)
    ? 'needs a unit: 5%, or 500bps (basis points), which is the same'
    : 'must be a share from 0% to 100%, as in 5% or 12.5%, or 500bps'
  throw new UsageError(`${option} ${problem}${shownValue(text)}.`)
}

function basisPoints(text: string): number | undefined {
  const [, digits] = /^([0-9]{1,5}) ?bps$/i.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

function percentage(text: string): number | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,3})(?:\.([0-9]{1,2}))? ?%$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(`${whole}${fraction.padEnd(2, '0')}`)
}

/** Returns basis points as a person writes them, as in `12.5 %`. */
export const shareText = (bps: unknown): string => `${Number(bps) / 100} %`
