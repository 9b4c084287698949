import type { Terms } from '../acts/act.ts'
import { parseEther } from '../text/ether.ts'

/** Terms as typed: amounts in ether, the royalty in percent. */
export type TypedTerms = {
  readonly price: string
  readonly rent: string
  readonly fork: string
  readonly percent: string
}

/** Parses typed terms; `undefined` if they cannot be listed. */
export function parseTerms(draft: TypedTerms): Terms | undefined {
  const amounts = [draft.price, draft.rent, draft.fork].map((text) =>
    text.trim() === '' ? 0n : parseEther(text),
  )
  const [price, rent, fork] = amounts
  const bps = Math.round(Number(draft.percent) * 100)
  const isShare = /^\d{1,3}(\.\d{1,2})?$/.test(draft.percent.trim()) && bps <= 10_000
  if (price === undefined || rent === undefined || fork === undefined || !isShare) return undefined
  if (price + rent + fork === 0n) return undefined
  return {
    price: price.toString(),
    rentalPricePerDay: rent.toString(),
    forkPrice: fork.toString(),
    forkRoyaltyBps: bps,
  }
}
