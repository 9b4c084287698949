import {
  type Currency,
  claimsOn,
  currencyOf,
  dollarDecimals,
  type Lineage,
  type Split,
  splitPrice,
  wei,
} from '@heirloom/core'

/** A price and its parts: a royalty for each claim, oldest first, and the rest for the seller. */
export type RoyaltySplit = Split & { readonly price: bigint; readonly currency: Currency }

/** One ether, and one dollar. */
const one = { native: 10n ** 18n, dollar: 10n ** BigInt(dollarDecimals) }

/**
 * Splits the given price of a token, in the currency of its listing; by default its own if it is for
 * sale, else 1 ether or 1 dollar.
 */
export function splitRoyalties(
  { token, ancestors }: Lineage,
  given: bigint | undefined,
): RoyaltySplit {
  const currency = currencyOf(token.terms)
  const own = (token.terms.dollars ?? token.terms).price
  const price = given ?? (own > 0n ? own : one[currency])
  const claims = claimsOn([token, ...ancestors.map((it) => it.token)])
  // The arithmetic of a split is the same in every currency.
  return { price, currency, ...splitPrice(wei(price), claims) }
}
