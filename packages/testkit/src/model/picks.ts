import type { Wei } from '@heirloom/core'
import { wei } from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { highestPick, type Pick, type Who } from './model.ts'
import type { Recipient } from './step.ts'

/** Any party. */
export const arbitraryWho: Arbitrary<Who> = fc.constantFrom(0, 1, 2, 3)

/** Any pick, seldom of a token that does not exist. */
export const arbitraryPick: Arbitrary<Pick> = fc.nat({ max: highestPick })

/** Mostly the payer itself, sometimes another party, seldom the zero address. */
export const arbitraryRecipient: Arbitrary<Recipient> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: arbitraryWho },
  { weight: 1, arbitrary: fc.constant('nobody' as const) },
)

/** The limit that a payer accepts: none, exactly the price, or a little less. */
export type Limit = 'none' | 'exact' | 'less'

/** Any limit, mostly none. */
export const arbitraryLimit: Arbitrary<Limit> = fc.constantFrom(
  'none',
  'none',
  'none',
  'exact',
  'exact',
  'less',
)

/** Returns the input member that limits the total royalty of a fork. */
export function royaltyInput(limit: Limit, total: number): { readonly maxRoyaltyBps?: number } {
  if (limit === 'none') return {}
  return { maxRoyaltyBps: limit === 'less' && total > 0 ? total - 1 : total }
}

/** Returns the input member that limits the price. */
export function limitInput(limit: Limit, price: bigint): { readonly maxPrice?: Wei } {
  if (limit === 'none') return {}
  return { maxPrice: wei(limit === 'less' && price > 0n ? price - 1n : price) }
}
