import { parseWei } from '../../api/amount-notation.ts'
import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads an amount: whole wei, or a decimal number with its unit, as in `0.01ether`, `0.01eth` or
 * `5gwei`.
 *
 * @throws a `UsageError` that names the option
 */
export function readAmount(option: string, text: string): bigint {
  const amount = parseWei(text)
  if (amount !== undefined) return amount
  throw new UsageError(
    `${option} must be whole wei, or a number with a unit as in 0.01ether${shownValue(text)}.`,
  )
}
