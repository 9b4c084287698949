const [whole, mostClaims] = [10_000, 8]

/** The claim of a creator on a line of forks, in basis points; the root is generation 0. */
export type Claim = { readonly generation: number; readonly bps: number }

/**
 * Returns the claims on the youngest of a line of forks, the oldest first, computed from the rule
 * and not from the code. The royalties are those at which each parent was listed.
 */
export function claimsOf(royalties: readonly number[]): readonly Claim[] {
  const claims: Claim[] = []
  let left = whole
  for (const [generation, royaltyBps] of royalties.entries()) {
    const bps = claims.length < mostClaims ? Math.min(royaltyBps, left) : 0
    if (bps > 0) claims.push({ generation, bps })
    left -= bps
  }
  return claims
}

/** Returns the share of a price for each generation of a line; the last one is the seller. */
export function dueOf(royalties: readonly number[], price: bigint): bigint[] {
  const due = Array.from({ length: royalties.length + 1 }, () => 0n)
  let rest = price
  for (const { generation, bps } of claimsOf(royalties)) {
    const share = (price * BigInt(bps)) / BigInt(whole)
    due[generation] = share
    rest -= share
  }
  due[royalties.length] = rest
  return due
}

/** Returns the one claim that ERC-2981 can express: the largest, the oldest among equals. */
export function largestOf(claims: readonly Claim[]): Claim | undefined {
  return claims.toSorted((one, other) => other.bps - one.bps)[0]
}
