import type { Event } from '../../../src/client/responses.ts'
import type { CurrencyKind } from './currency.ts'

/** A price at a time, in seconds since the Unix epoch. */
export type PricePoint = { readonly at: number; readonly price: bigint }

/** Describes what a memory was offered and paid for in one currency, the oldest first. */
export type PriceSeries = {
  readonly currency: CurrencyKind
  /** The sale price of each listing; 0 where it was not for sale any more. */
  readonly requested: readonly PricePoint[]
  readonly sales: readonly PricePoint[]
  /** The rent for all days of each rental. */
  readonly rentals: readonly PricePoint[]
}

/** Returns the series of prices in a currency that events make, in any order of the events. */
export function priceSeries(events: readonly Event[], currency: CurrencyKind): PriceSeries {
  const ordered = events.toSorted(
    (one, other) =>
      Number(BigInt(one.block) - BigInt(other.block)) || one.logIndex - other.logIndex,
  )
  const requested: PricePoint[] = []
  const sales: PricePoint[] = []
  const rentals: PricePoint[] = []
  for (const event of ordered) {
    const at = Number(event.timestamp)
    const isIn = event.kind.startsWith('dollar-') === (currency === 'dollar')
    const add = (to: PricePoint[], price: string) => {
      if (isIn) to.push({ at, price: BigInt(price) })
    }
    switch (event.kind) {
      case 'listing':
      case 'dollar-listing':
        // A listing in the other currency ends the offer in this one.
        requested.push({ at, price: isIn ? BigInt(event.price) : 0n })
        break
      case 'sale':
      case 'dollar-sale':
        add(sales, event.price)
        break
      case 'rental':
      case 'dollar-rental':
        add(rentals, event.paid)
        break
      case 'transfer':
        // Whoever gets a token has not listed it.
        requested.push({ at, price: 0n })
        break
    }
  }
  return { currency, requested: withoutRepetitions(requested), sales, rentals }
}

/** Leaves out points that change nothing; a series begins with an offer. */
function withoutRepetitions(points: readonly PricePoint[]): readonly PricePoint[] {
  return points.filter(({ price }, index) => price !== (points[index - 1]?.price ?? 0n))
}
