import type { ListInput } from '../../client/requests.ts'
import type { Listing } from '../../client/responses.ts'
import { amountText } from './amount-text.ts'

type Terms = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice'> &
  Pick<Listing, 'forkRoyaltyBps'> &
  Partial<Pick<Listing, 'totalRoyaltyBps' | 'canBeForked'>>

/** Returns the offers of a listing, each with its price. */
export function termsText(terms: Terms): readonly (readonly [string, string])[] {
  const { price, rentalPricePerDay, forkPrice } = terms
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

function offer(name: string, price: bigint | string, suffix: string) {
  const wei = BigInt(price)
  return wei > 0n ? [[name, `${amountText(wei)}${suffix}`] as const] : []
}
