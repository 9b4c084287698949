import { type Dollars, dollars, type OrderAct, orderActs } from '@heirloom/core'
import { arbitraryBps, arbitraryDays, arbitraryPrice } from '@heirloom/testkit'
import fc, { type Arbitrary } from 'fast-check'
import type { Actor, Offer, Pick, Recipient } from './arbitrary-story.ts'

type DollarTerms = {
  readonly price: Dollars
  readonly rentalPricePerDay: Dollars
  readonly forkPrice: Dollars
}

/** A command in dollars, to be resolved in the state at that time. */
export type DollarCommand =
  | {
      readonly verb: 'listInDollars'
      readonly who: Actor
      readonly token: Pick
      readonly terms: DollarTerms
      readonly forkRoyaltyBps: number
      /** A price in wei beside those in dollars, which is refused. */
      readonly besides: bigint
    }
  | {
      readonly verb: 'order'
      readonly act: OrderAct
      readonly who: Actor
      readonly token: Pick
      readonly offer: Offer
      readonly to: Recipient
      readonly days: number
      /** The accepted total royalty, relative to the one that the listing shows. */
      readonly tolerance: number
      /** The flaw of an order that fits otherwise. */
      readonly flaw: 'none' | 'expired' | 'foreign asset'
    }
  /** Pays the last order once more. */
  | { readonly verb: 'order again'; readonly who: Actor }

type Parts = {
  readonly who: Arbitrary<Actor>
  readonly owner: Arbitrary<Actor>
  readonly token: Arbitrary<Pick>
  readonly to: Arbitrary<Recipient>
  readonly offer: Arbitrary<Offer>
  readonly tolerance: Arbitrary<number>
}

const few = fc.bigInt({ min: 0n, max: 50_000n })
const price = fc
  .oneof({ weight: 6, arbitrary: few }, { weight: 1, arbitrary: arbitraryPrice })
  .map(dollars)
const days = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 2, arbitrary: arbitraryDays },
  { weight: 1, arbitrary: fc.constantFrom(0, 366) },
)

/** Returns the commands in dollars, each with its weight. */
export const dollarCommands = ({ who, owner, token, to, offer, tolerance }: Parts) => {
  const terms = fc.record({ price, rentalPricePerDay: price, forkPrice: price })
  const besides = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0n) },
    { weight: 1, arbitrary: fc.constant(1n) },
  )
  const listing = fc.record<Extract<DollarCommand, { verb: 'listInDollars' }>>({
    ...{ verb: fc.constant('listInDollars'), who: owner, token, terms, besides },
    forkRoyaltyBps: arbitraryBps,
  })
  const order = fc.record<Extract<DollarCommand, { verb: 'order' }>>({
    ...{ verb: fc.constant('order'), act: fc.constantFrom(...orderActs), who, token, offer, to },
    ...{ days, tolerance },
    flaw: fc.oneof(
      { weight: 16, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom('expired' as const, 'foreign asset' as const) },
    ),
  })
  const again = fc.record<Extract<DollarCommand, { verb: 'order again' }>>({
    ...{ verb: fc.constant('order again'), who },
  })
  return [
    { weight: 10, arbitrary: listing },
    { weight: 16, arbitrary: order },
    { weight: 2, arbitrary: again },
  ] as const
}
