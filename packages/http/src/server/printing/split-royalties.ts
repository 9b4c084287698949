import { claimsOn, type Lineage, type Split, splitPrice, type Wei, wei } from '@heirloom/core'

/** A price and its parts: a royalty for each claim, oldest first, and the rest for the seller. */
export type RoyaltySplit = Split & { readonly price: Wei }

const ether = wei(10n ** 18n)

/** Splits the given price of a token; by default its own if it is for sale, else 1 ether. */
export function splitRoyalties(
  { token, ancestors }: Lineage,
  given: Wei | undefined,
): RoyaltySplit {
  const own = token.terms.price > 0n ? token.terms.price : ether
  const price = given ?? own
  return { price, ...splitPrice(price, claimsOn([token, ...ancestors.map((it) => it.token)])) }
}
