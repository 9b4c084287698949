import { Failure } from '../failure.ts'
import type { Dollars, TokenId, Wei } from './branded.ts'

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
function inRange(value: bigint, kind: string): bigint {
  if (value < 0n || value >= limit) {
    throw new Failure('value/invalid', { kind, problem: 'must be at least 0 and below 2^256' })
  }
  return value
}

/** The number of decimals of a dollar: its smallest unit is a millionth. */
export const dollarDecimals = 6

/**
 * Returns the amount, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export const wei = (amount: bigint | string): Wei => amountOf(amount, 'amount in wei') as Wei

/**
 * Returns the amount in millionths of a dollar, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export const dollars = (amount: bigint | string): Dollars =>
  amountOf(amount, 'amount in millionths of a dollar') as Dollars

function amountOf(amount: bigint | string, kind: string): bigint {
  return typeof amount === 'string' ? readDecimal(amount, kind) : inRange(amount, kind)
}

/**
 * Returns the token id, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export function tokenId(id: bigint | string): TokenId {
  return (typeof id === 'string' ? readDecimal(id, 'token id') : inRange(id, 'token id')) as TokenId
}
