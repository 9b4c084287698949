import type { ListInput } from '../../client/requests.ts'
import type { Listing } from '../../client/responses.ts'
import { amountText, dollarText } from './amount-text.ts'

type Prices = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice'>

type Terms = Prices &
  Pick<Listing, 'forkRoyaltyBps'> &
  Partial<Pick<Listing, 'totalRoyaltyBps' | 'canBeForked'>> & {
    readonly dollars?: Prices | undefined
  }

/** Returns the offers of a listing, each with its price in its currency. */
export function termsText(terms: Terms): readonly (readonly [string, string])[] {
  return [
    ...offersText(terms, terms, amountText),
    ...(terms.dollars === undefined ? [] : offersText(terms, terms.dollars, dollarText)),
  ]
}

function offersText(
  terms: Terms,
  { price, rentalPricePerDay, forkPrice }: Prices,
  textOf: (amount: bigint) => string,
): readonly (readonly [string, string])[] {
  const offer = (name: string, amount: bigint | string, suffix: string) =>
    BigInt(amount) > 0n ? [[name, `${textOf(BigInt(amount))}${suffix}`] as const] : []
  return [
    ...offer('For sale', price, ''),
    ...offer('For rent', rentalPricePerDay, ' a day'),
    ...offer('For fork', forkPrice, royaltyText(terms)),
  ]
}

/** Returns the royalties of a fork. Terms that are not listed yet know only their own share. */
function royaltyText({ forkRoyaltyBps, totalRoyaltyBps, canBeForked }: Terms): string {
  if (canBeForked === false) return ', but its lineage is too deep to fork'
  if (totalRoyaltyBps === undefined) return `, royalty ${forkRoyaltyBps / 100} %`
  return `, royalties ${totalRoyaltyBps / 100} % in total`
}
