import { type Currency, dollarDecimals, wholeBps } from '@heirloom/core'
import { parseDollars, parseWei } from '../../api/amount-notation.ts'
import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './command.ts'

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
