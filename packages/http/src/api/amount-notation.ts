import { type Currency, dollarDecimals } from '@heirloom/core'

const decimalsOf: Readonly<Record<string, number>> = { wei: 0, gwei: 9, eth: 18, ether: 18 }

/**
 * Parses whole wei, or a number with its unit in either case, as in `0.01ether` or `0.01ETH`;
 * `undefined` for anything else.
 */
export function parseWei(text: string): bigint | undefined {
  const [, whole = '', fraction = '', unit = 'wei'] =
    /^(0|[1-9][0-9]{0,77})(?:\.([0-9]{1,18}))?(wei|gwei|eth|ether)?$/i.exec(text) ?? []
  const decimals = decimalsOf[unit.toLowerCase()] ?? 0
  if (whole === '' || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Parses dollars, as in `0.25usd` or `5USD`, to millionths of a dollar;
 * `undefined` for anything else.
 */
export function parseDollars(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(0|[1-9][0-9]{0,69})(?:\.([0-9]{1,6}))?usd$/i.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(dollarDecimals, '0'))
}

/** Returns an amount with its unit, as both parsers take it: `0.01ether` or `5usd`. */
export const amountWithUnit = (currency: Currency, amount: bigint | string): string =>
  currency === 'native'
    ? `${decimalText(BigInt(amount), 18)}ether`
    : `${decimalText(BigInt(amount), dollarDecimals)}usd`

/** Returns an amount of the smallest unit as a decimal number. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = `${amount}`.padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
