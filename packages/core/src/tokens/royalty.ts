import { Failure } from '../failure.ts'
import type { Account, TokenId, Wei } from '../values/branded.ts'
import { wei } from '../values/decimal.ts'

/** 100 % in basis points. */
export const wholeBps = 10_000

/** The largest number of claims on one token. */
export const maxClaims = 8

/** The largest number of licensed forks in one lineage. */
export const maxLineageDepth = 64

/**
 * Returns `royaltyBps` when it is a valid share: a whole number of basis points from 0 to 10000.
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
 * Returns `amount` when it is above zero.
 *
 * @throws `royalty/zero`
 */
export function royaltyPayment(amount: Wei): Wei {
  if (amount === 0n) throw new Failure('royalty/zero', {})
  return amount
}

/** A share of every price of a licensed fork, for the creator of one of its ancestors. */
export type Claim = {
  /** The token that was forked when the claim was added. */
  readonly tokenId: TokenId
  readonly creator: Account
  /** The share, above 0, frozen when the claim was added. */
  readonly royaltyBps: number
}

/** A token of a lineage. */
export type LineageMember = {
  readonly tokenId: TokenId
  readonly creator: Account
  /** The share that its fork added for its parent's creator; absent without a licence. */
  readonly royaltyBps: number | undefined
}

/** The royalties that a fork of a token would owe. */
export type ForkRoyalty = {
  /**
   * The share that the fork would add for this token's creator: the listed share, capped at the
   * rest.
   */
  readonly effectiveRoyaltyBps: number
  /** The total share of all claims on the fork. */
  readonly totalRoyaltyBps: number
  /** Whether its lineage may have one more licensed fork. */
  readonly canBeForked: boolean
}

/** The parts of a price; the royalties and the rest add up to it exactly. */
export type Split = {
  readonly royalties: readonly {
    readonly to: Account
    readonly amount: Wei
    /** The token whose fork added the claim. */
    readonly tokenId: TokenId
  }[]
  /** The amount for the seller. */
  readonly rest: Wei
}

/**
 * Returns the claims on the first token of a lineage, oldest first. The lineage goes from each
 * token to its parent; it may continue above the last licensed fork.
 */
export function claimsOn(line: readonly LineageMember[]): readonly Claim[] {
  return line
    .slice(0, depthOf(line))
    .flatMap(({ royaltyBps = 0 }, generation) => {
      const parent = line[generation + 1]
      if (parent === undefined || royaltyBps === 0) return []
      return [{ tokenId: parent.tokenId, creator: parent.creator, royaltyBps }]
    })
    .reverse()
}

/** Returns the royalties of a fork of a lineage's first token, listed with `royaltyBps`. */
export function forkRoyalty(line: readonly LineageMember[], royaltyBps: number): ForkRoyalty {
  const shares = claimsOn(line).map((claim) => claim.royaltyBps)
  return forkRoyaltyOfShares({ shares, depth: depthOf(line), royaltyBps })
}

/** The shares of the claims on a token, its depth, and the share that it is listed with. */
export type ClaimShares = {
  /** The shares of the claims, in basis points. */
  readonly shares: readonly number[]
  /** The number of licensed forks from its source to the token. */
  readonly depth: number
  readonly royaltyBps: number
}

/** Returns the royalties that a fork of a token would owe. */
export function forkRoyaltyOfShares({ shares, depth, royaltyBps }: ClaimShares): ForkRoyalty {
  const owed = shares.reduce((total, share) => total + share, 0)
  const free = shares.length < maxClaims ? wholeBps - owed : 0
  const effectiveRoyaltyBps = capped(royaltyBps, free)
  return {
    effectiveRoyaltyBps,
    totalRoyaltyBps: owed + effectiveRoyaltyBps,
    canBeForked: depth < maxLineageDepth,
  }
}

/** Returns a share of a price, rounded down to a wei. */
export function shareOf(price: Wei, royaltyBps: number): Wei {
  return wei((price * BigInt(royaltyBps)) / BigInt(wholeBps))
}

/** Splits the price of a token among the claims on it, each rounded down, and its seller. */
export function splitPrice(price: Wei, claims: readonly Claim[]): Split {
  const royalties = claims
    .map(({ tokenId, creator, royaltyBps }) => ({
      to: creator,
      amount: shareOf(price, royaltyBps),
      tokenId,
    }))
    .filter(({ amount }) => amount > 0n)
  const rest = royalties.reduce((left, { amount }) => left - amount, price as bigint)
  return { royalties, rest: wei(rest) }
}

function capped(royaltyBps: number, free: number): number {
  if (royaltyBps > free) return free
  return royaltyBps
}

function depthOf(line: readonly LineageMember[]): number {
  const end = line.findIndex(({ royaltyBps }) => royaltyBps === undefined)
  return end === -1 ? line.length : end
}
