import type { Wei } from '@heirloom/core'
import { wei } from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { highestPick, type Pick, type Who } from './model.ts'
import type { Recipient } from './step.ts'

/** Any party. */
export const arbitraryWho: Arbitrary<Who> = fc.constantFrom(0, 1, 2, 3)

/** Any token, seldom one that does not exist. */
export const arbitraryPick: Arbitrary<Pick> = fc.nat({ max: highestPick })

/** Mostly the payer itself, sometimes another, seldom nobody. */
export const arbitraryRecipient: Arbitrary<Recipient> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: arbitraryWho },
  { weight: 1, arbitrary: fc.constant('nobody' as const) },
)

/** How much a payer accepts: anything, exactly the price, or a little less than it. */
export type Limit = 'none' | 'exact' | 'less'

/** Mostly anything. */
export const arbitraryLimit: Arbitrary<Limit> = fc.constantFrom(
  'none',
  'none',
  'none',
  'exact',
  'exact',
  'less',
)

/** Returns the input member that limits what a fork may owe of its prices in all. */
export function royaltyInput(limit: Limit, total: number): { readonly maxRoyaltyBps?: number } {
  if (limit === 'none') return {}
  return { maxRoyaltyBps: limit === 'less' && total > 0 ? total - 1 : total }
}

/** Returns the input member that limits what a call may cost. */
export function limitInput(limit: Limit, price: bigint): { readonly maxPrice?: Wei } {
  if (limit === 'none') return {}
  return { maxPrice: wei(limit === 'less' && price > 0n ? price - 1n : price) }
}
