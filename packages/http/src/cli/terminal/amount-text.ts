import { type Currency, dollarDecimals } from '@heirloom/core'
import { decimalText } from '../../api/amount-notation.ts'

/** Returns an amount in ether and in wei. */
export function amountText(wei: bigint): string {
  return `${etherText(wei)} ether (${wei} wei)`
}

/** Returns an amount of millionths of a dollar in dollars. */
export function dollarText(amount: bigint): string {
  return `${decimalText(amount, dollarDecimals)} USD`
}

/** Returns an amount of a currency. */
export const priceText = (currency: Currency, amount: bigint | string): string =>
  currency === 'native' ? amountText(BigInt(amount)) : dollarText(BigInt(amount))

const etherText = (wei: bigint): string => decimalText(wei, 18)
