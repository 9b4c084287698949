import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './usage-error.ts'

/** The least and the greatest number that an option may have. */
type Range = { readonly least: number; readonly most: number }

const anyNumber: Range = { least: 0, most: 999_999_999 }

/**
 * Reads an optional whole number.
 *
 * @throws a `UsageError` that names the option and its range
 */
export function readCount(
  option: string,
  text: string | undefined,
  { least, most }: Range = anyNumber,
): number | undefined {
  if (text === undefined) return undefined
  const number = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === anyNumber.most ? 'such as 20' : `from ${least} to ${most}`
  throw new UsageError(`${option} must be a whole number, ${range}${shownValue(text)}.`)
}
