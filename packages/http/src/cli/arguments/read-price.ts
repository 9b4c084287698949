import { type Currency, dollarDecimals } from '@heirloom/core'
import { parseDollars, parseWei } from '../../api/amount-notation.ts'
import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './usage-error.ts'

/** A price in wei, or in millionths of a dollar. */
export type Price = { readonly currency: Currency; readonly amount: bigint }

/**
 * Reads a price: whole wei, a number with its unit as in `0.01ether`, or dollars as in `0.25usd`.
 *
 * @throws a `UsageError` that names the option
 */
export function readPrice(option: string, text: string): Price {
  if (!/usd$/i.test(text)) return { currency: 'native', amount: readNative(option, text) }
  const amount = parseDollars(text)
  if (amount !== undefined) return { currency: 'dollar', amount }
  throw new UsageError(
    `${option} must have at most ${dollarDecimals} decimals in dollars, as in 0.25usd${shownValue(text)}.`,
  )
}

function readNative(option: string, text: string): bigint {
  const amount = parseWei(text)
  if (amount !== undefined) return amount
  throw new UsageError(
    `${option} must be a number with a unit, as in 0.01ether or 5usd, or whole wei${shownValue(text)}.`,
  )
}

/**
 * Reads prices that must all be in one currency; a price that is absent has any.
 *
 * @throws a `UsageError` that names the options
 */
export function readPrices<name extends string>(
  given: Readonly<Record<name, string | undefined>>,
): { readonly currency: Price['currency']; readonly amounts: Readonly<Record<name, bigint>> } {
  const options = Object.keys(given) as name[]
  const prices = options.flatMap((option) => {
    const text = given[option]
    return text === undefined ? [] : [[option, readPrice(option, text)] as const]
  })
  const [first] = prices.flatMap(([, { currency, amount }]) => (amount > 0n ? [currency] : []))
  const currency = first ?? prices[0]?.[1].currency ?? 'native'
  if (prices.some(([, price]) => price.amount > 0n && price.currency !== currency)) {
    throw new UsageError(`${options.join(', ')} must be in one currency: all in dollars, or none.`)
  }
  const amountOf = new Map(prices.map(([option, { amount }]) => [option, amount]))
  const amounts = options.map((option) => [option, amountOf.get(option) ?? 0n] as const)
  return { currency, amounts: Object.fromEntries(amounts) as Record<name, bigint> }
}

/**
 * Reads an amount in dollars, as in `5usd`.
 *
 * @throws a `UsageError` that names the option
 */
export function readDollars(option: string, text: string): bigint {
  const { currency, amount } = readPrice(option, text)
  if (currency === 'dollar') return amount
  throw new UsageError(`${option} must be in dollars, as in 5usd.`)
}
