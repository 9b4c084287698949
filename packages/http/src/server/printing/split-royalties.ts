import { claimsOn, type Lineage, type Split, splitPrice, type Wei, wei } from '@heirloom/core'

/** A price and its parts: a royalty for each claim, the oldest first, and the rest for the seller. */
export type RoyaltySplit = Split & { readonly price: Wei }

const ether = wei(10n ** 18n)

/** Splits a price of a token: the given one, or its own when it is for sale, or else 1 ether. */
export function royaltySplit({ token, ancestors }: Lineage, given: Wei | undefined): RoyaltySplit {
  const own = token.terms.price > 0n ? token.terms.price : ether
  const price = given ?? own
  return { price, ...splitPrice(price, claimsOn([token, ...ancestors.map((it) => it.token)])) }
}
