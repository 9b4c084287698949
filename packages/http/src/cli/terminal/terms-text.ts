import type { ListInput } from '../../client/requests.ts'
import type { Listing } from '../../client/responses.ts'
import { amountText } from '../arguments/read-amount.ts'

type Terms = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice'> &
  Pick<Listing, 'forkRoyaltyBps'> &
  Partial<Pick<Listing, 'totalRoyaltyBps' | 'canBeForked'>>

/** Returns the ways in which a token is offered, and for how much. */
export function termsText(terms: Terms): readonly (readonly [string, string])[] {
  const { price, rentalPricePerDay, forkPrice } = terms
  return [
    ...offered('For sale', price, ''),
    ...offered('For rent', rentalPricePerDay, ' a day'),
    ...offered('For fork', forkPrice, royaltyText(terms)),
  ]
}

/** Returns what a fork would owe; of terms that are about to be set, the listed share alone is known. */
function royaltyText({ forkRoyaltyBps, totalRoyaltyBps, canBeForked }: Terms): string {
  if (canBeForked === false) return ', but cannot be forked any more'
  if (totalRoyaltyBps === undefined) return `, royalty ${forkRoyaltyBps / 100} %`
  return `, royalties ${totalRoyaltyBps / 100} % in all`
}

function offered(how: string, price: bigint | string, more: string) {
  const wei = BigInt(price)
  return wei > 0n ? [[how, `${amountText(wei)}${more}`] as const] : []
}
