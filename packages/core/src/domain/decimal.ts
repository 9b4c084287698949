import { Failure } from '../failure.ts'

/**
 * The canonical form of an unsigned 256-bit integer: no sign, no leading zero, at most 78 digits.
 */
export const decimalPattern = '^(0|[1-9][0-9]{0,77})$'

const limit = 2n ** 256n
const canonical = new RegExp(decimalPattern)

/**
 * Parses a canonical decimal string below 2^256.
 *
 * @throws `value/invalid`
 */
export function readDecimal(text: string, kind: string): bigint {
  if (!canonical.test(text)) {
    throw new Failure('value/invalid', {
      kind,
      problem: 'must be a decimal without sign or leading zero',
    })
  }
  return inRange(BigInt(text), kind)
}

/**
 * Returns `value` when it is an unsigned 256-bit integer.
 *
 * @throws `value/invalid`
 */
export function inRange(value: bigint, kind: string): bigint {
  if (value < 0n || value >= limit) {
    throw new Failure('value/invalid', { kind, problem: 'must be at least 0 and below 2^256' })
  }
  return value
}
