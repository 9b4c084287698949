import type { Terms } from '../acts/listing-terms.ts'
import { parseAmount } from '../text/amount.ts'
import { type CurrencyKind, decimalsOf } from '../text/currency.ts'

/** Terms as typed: amounts in units of their currency, the royalty in percent. */
export type TypedTerms = {
  readonly currency: CurrencyKind
  readonly price: string
  readonly rent: string
  readonly fork: string
  readonly percent: string
}

/** Parses a share in percent to basis points; `undefined` if it is none. */
export function parsePercent(text: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text.trim())) return undefined
  const bps = Math.round(Number(text) * 100)
  return bps <= 10_000 ? bps : undefined
}

/** Parses typed terms; `undefined` if they cannot be listed. */
export function parseTerms(draft: TypedTerms): Terms | undefined {
  const { currency } = draft
  const decimals = decimalsOf[currency]
  const amounts = [draft.price, draft.rent, draft.fork].map((text) =>
    text.trim() === '' ? 0n : parseAmount(text, { decimals }),
  )
  const [price, rent, fork] = amounts
  const bps = parsePercent(draft.percent)
  if (price === undefined || rent === undefined || fork === undefined) return undefined
  if (bps === undefined) return undefined
  if (price + rent + fork === 0n) return undefined
  return {
    currency,
    price: price.toString(),
    rentalPricePerDay: rent.toString(),
    forkPrice: fork.toString(),
    forkRoyaltyBps: bps,
  }
}
