import type { Lineage } from '../../../src/client/responses.ts'
import { useRead } from '../api/use-resource.ts'
import { type Act, getPayment } from './act.ts'
import { isPurchase } from './purchase.ts'

/** Loads the token of an act and the split of its price, or of the price that it sets. */
export function useLineage(act: Act): Lineage | undefined {
  const price = getSplitPrice(act)
  const isShown = price !== undefined && 'tokenId' in act
  return useRead('lineage', isShown ? { tokenId: act.tokenId, price } : undefined).value
}

/** Returns the price whose split an act shows; `undefined` when it shows none. */
function getSplitPrice(act: Act): string | undefined {
  if (isPurchase(act)) return getPayment(act).toString()
  return act.kind === 'list' && act.terms.price !== '0' ? act.terms.price : undefined
}
