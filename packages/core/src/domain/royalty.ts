import { Failure } from '../failure.ts'
import type { Account } from './account.ts'
import { type Wei, wei } from './money.ts'

/** A whole: 100 % in basis points. */
export const wholeBps = 10_000

/** How many generations above a licensed fork share in its price. */
export const royaltyDepth = 8

/**
 * Returns `royaltyBps` when it is a share: a whole number of basis points from 0 to 10000.
 *
 * @throws `royalty/bad-share`
 */
export function royaltyShare(royaltyBps: number): number {
  if (!Number.isInteger(royaltyBps) || royaltyBps < 0 || royaltyBps > wholeBps) {
    throw new Failure('royalty/bad-share', { royaltyBps, limit: wholeBps })
  }
  return royaltyBps
}

/**
 * Returns `amount` when it pays something.
 *
 * @throws `royalty/zero`
 */
export function royaltyPayment(amount: Wei): Wei {
  if (amount === 0n) throw new Failure('royalty/zero', {})
  return amount
}

/** One generation above a licensed fork: who made the parent, and the share frozen at the fork. */
export type Licence = { readonly creator: Account; readonly royaltyBps: number }

/** Who receives how much of a price; the amounts and the rest add up to it exactly. */
export type Split = {
  readonly royalties: readonly { readonly to: Account; readonly amount: Wei }[]
  /** What is left for the seller. */
  readonly rest: Wei
}

/**
 * Returns what each of the first 8 generations above a licensed fork keeps of its price, nearest
 * first, also where that is nothing; `splitPrice` says how it is reckoned.
 */
export function sharesOf(price: Wei, lineage: readonly Licence[]): readonly Wei[] {
  return keptOf(price, lineage).slice(1)
}

/**
 * Splits the price of a licensed fork among the creators above it, nearest first. The parent's
 * creator is due the frozen share; out of that the grandparent's creator is due the parent's own
 * share, and so on for 8 generations. Each share is rounded down; what is not passed up is kept.
 */
export function splitPrice(price: Wei, lineage: readonly Licence[]): Split {
  const kept = keptOf(price, lineage)
  return {
    royalties: lineage
      .slice(0, royaltyDepth)
      .map(({ creator }, generation) => ({ to: creator, amount: kept[generation + 1] ?? wei(0n) }))
      .filter(({ amount }) => amount > 0n),
    rest: kept[0] ?? price,
  }
}

/** Returns what stays with the seller, and then with each generation above. */
function keptOf(price: Wei, lineage: readonly Licence[]): readonly Wei[] {
  const due = [price as bigint]
  for (const { royaltyBps } of lineage.slice(0, royaltyDepth)) {
    due.push(((due.at(-1) ?? 0n) * BigInt(royaltyBps)) / BigInt(wholeBps))
  }
  return due.map((amount, generation) => wei(amount - (due[generation + 1] ?? 0n)))
}
