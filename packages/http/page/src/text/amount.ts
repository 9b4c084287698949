import { decimalText } from '../../../src/api/amount-notation.ts'

const gwei = 10n ** 9n

const smallestNative = 10n ** 12n

/** Formats an amount exactly, without its unit: `0.005`. */
export const formatAmount = (amount: bigint, { decimals }: Pick<Currency, 'decimals'>): string =>
  decimalText(amount, decimals)

/**
 * Formats an amount with its unit, and at most six decimals. A very small native amount is in gwei
 * or wei.
 */
export function formatShortAmount(amount: bigint, currency: Currency): string {
  const { kind, symbol, decimals } = currency
  if (kind === 'native' && amount > 0n && amount < smallestNative) return formatTiny(amount)
  return `${round(amount, decimals, 6)} ${symbol}`
}

const formatTiny = (wei: bigint): string => (wei < gwei ? `${wei} wei` : `${round(wei, 9, 3)} gwei`)

/** Formats an amount exactly, for those who want every digit: in wei, or with the name of a dollar. */
export function formatExactAmount(amount: bigint, currency: Currency): string {
  if (currency.kind === 'native') return `${amount} wei`
  return `${formatAmount(amount, currency)} ${currency.name}`
}

/**
 * Parses an amount to the smallest unit, with a decimal point or comma; `undefined` if the text is not
 * an amount, or may be two.
 */
export function parseAmount(
  text: string,
  { decimals }: Pick<Currency, 'decimals'>,
): bigint | undefined {
  const [, whole = '', part = ''] = /^\s*(\d{1,40})?(?:[.,](\d*))?\s*$/.exec(text) ?? []
  if (part.length > decimals || (whole === '' && part === '')) return undefined
  if (isAmbiguous(text)) return undefined
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(part.padEnd(decimals, '0'))
}

/** Returns whether an amount has a comma that some read as that of thousands, such as `1,234`. */
export const isAmbiguous = (text: string): boolean => /^\s*0*[1-9]\d*,\d{3}\s*$/.test(text)

function round(amount: bigint, places: number, decimalsShown: number): string {
  const unit = 10n ** BigInt(places - decimalsShown)
  const near = ((amount + unit / 2n) / unit) * unit
  const [whole = '', part] = decimalText(near, places).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const sign = near === amount ? '' : '≈ '
  return `${sign}${grouped}${part === undefined ? '' : `.${part}`}`
}

/** The kind of a currency: the native one of the chain, or the dollar of the contracts. */
export type CurrencyKind = 'native' | 'dollar'

/** Both kinds, in the order in which they are shown. */
export const currencyKinds: readonly CurrencyKind[] = ['native', 'dollar']

/** Returns the currency of the amounts of an event. */
export const currencyOfEvent = ({ kind }: { readonly kind: string }): CurrencyKind =>
  kind.startsWith('dollar-') ? 'dollar' : 'native'

/** A currency as the page shows it. */
export type Currency = {
  readonly kind: CurrencyKind
  readonly name: string
  readonly symbol: string
  /** An amount is a whole number of 10^-decimals. */
  readonly decimals: number
  /** The price of a unit of it in money, where the operator says one. */
  readonly rate?: { readonly price: string; readonly currency: string } | undefined
}

/** Says what an amount is about in money; empty where nobody says what its currency is worth. */
export function approximate(amount: bigint, { decimals, rate }: Currency): string {
  if (rate === undefined || amount === 0n) return ''
  const { price, currency } = rate
  const format = { style: 'currency', currency, maximumSignificantDigits: 2 } as const
  const worth = (Number(amount) / 10 ** decimals) * Number(price)
  return `about ${worth.toLocaleString('en', format)}`
}

/** The native currency of most chains. */
export const ether: Currency = { kind: 'native', name: 'Ether', symbol: 'ETH', decimals: 18 }

/** The decimals of amounts of each kind; prices in dollars have six on every chain. */
export const decimalsOf: { readonly [kind in CurrencyKind]: number } = { native: 18, dollar: 6 }
