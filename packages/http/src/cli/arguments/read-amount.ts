import { UsageError } from './usage-error.ts'

const decimalsOf: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 }

/**
 * Reads an amount: whole wei, or a decimal number with its unit, as in `0.01ether` or `5gwei`.
 *
 * @throws a `UsageError` that names the option
 */
export function readAmount(option: string, text: string): bigint {
  const [, whole = '', fraction = '', unit = 'wei'] =
    /^(0|[1-9][0-9]{0,77})(?:\.([0-9]{1,18}))?(wei|gwei|ether)?$/.exec(text) ?? []
  const decimals = decimalsOf[unit] ?? 0
  if (whole === '' || fraction.length > decimals) {
    throw new UsageError(`${option} must be whole wei, or a number with a unit as in 0.01ether.`)
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
