import type { ListInput } from '../client/asked.ts'
import type { Listing } from '../client/told.ts'
import { amountText } from './amount.ts'

type Terms = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice'> &
  Pick<Listing, 'forkRoyaltyBps'>

/** Returns the ways in which a token is offered, and for how much. */
export function termsText(terms: Terms): readonly (readonly [string, string])[] {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  return [
    ...offered('For sale', price, ''),
    ...offered('For rent', rentalPricePerDay, ' a day'),
    ...offered('For fork', forkPrice, `, royalty ${forkRoyaltyBps / 100} %`),
  ]
}

function offered(how: string, price: bigint | string, more: string) {
  const wei = BigInt(price)
  return wei > 0n ? [[how, `${amountText(wei)}${more}`] as const] : []
}
