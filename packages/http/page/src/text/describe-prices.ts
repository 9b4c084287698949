import { formatShortAmount } from './amount.ts'
import type { Currency } from './currency.ts'
import { formatDate } from './moment.ts'
import type { Prices } from './price-series.ts'

/** The ways of offering a memory that have a history of prices. */
export type PriceKind = 'sale' | 'rent' | 'fork'

const payments = { sale: 'sale', rent: 'rental', fork: 'fork' } as const

const units = { sale: '', rent: ' per day', fork: ' per fork' } as const

/** Counts payments: `1 sale`, `3 rentals`. */
function countPaid(kind: PriceKind, { paid: { length } }: Prices): string {
  const one = payments[kind]
  return length === 1 ? `1 ${one}` : `${length} ${one}s`
}

/** The words and the sign of the marks of a chart of prices. */
const legends = {
  sale: ['asking price', '●'],
  rent: ['asking price per day', '○'],
  fork: ['asking price per fork', '○'],
} as const

/** Describes what a chart of prices shows. */
export function describeChart(kind: PriceKind, prices: Prices): string {
  const [line, mark] = legends[kind]
  const parts = [
    prices.requested.length > 0 ? [`Line: ${line}.`] : [],
    prices.paid.length > 0 ? [`${mark} ${countPaid(kind, prices)}.`] : [],
  ]
  return parts.flat().join(' ')
}

/** Describes the only price that was requested and paid, which needs no chart. */
export function describeOnlyPrice(
  only: bigint,
  prices: Prices,
  { kind, currency }: { readonly kind: PriceKind; readonly currency: Currency },
): string {
  const amount = `${formatShortAmount(only, currency)}${units[kind]}`
  const last = prices.requested.at(-1)
  const count = prices.paid.length === 0 ? '' : `; ${countPaid(kind, prices)}`
  if (last === undefined) return `Paid: ${amount}${count}.`
  const isOffered = last.price > 0n
  const date = formatDate(last.at)
  return isOffered
    ? `Asking price: ${amount}, unchanged since ${date}${count}.`
    : `Asking price: ${amount}, until ${date}${count}.`
}
