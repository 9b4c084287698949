const [whole, mostClaims] = [10_000, 8]

/** The claim, in basis points, of the creator of the token at a place of a line; the root is 0. */
export type Claim = { readonly place: number; readonly bps: number }

/**
 * Returns the claims on the youngest of a line of forks, the oldest first, computed from the rule
 * and not from the code. The royalties are those at which each parent was listed.
 */
export function claimsOf(royalties: readonly number[]): readonly Claim[] {
  const claims: Claim[] = []
  let left = whole
  for (const [place, royaltyBps] of royalties.entries()) {
    const bps = claims.length < mostClaims ? Math.min(royaltyBps, left) : 0
    if (bps > 0) claims.push({ place, bps })
    left -= bps
  }
  return claims
}

/** Returns the share of a price for each place of a line; the last place is the seller. */
export function dueOf(royalties: readonly number[], price: bigint): bigint[] {
  const due = Array.from({ length: royalties.length + 1 }, () => 0n)
  let rest = price
  for (const { place, bps } of claimsOf(royalties)) {
    const share = (price * BigInt(bps)) / BigInt(whole)
    due[place] = share
    rest -= share
  }
  due[royalties.length] = rest
  return due
}

/** Returns the one claim that ERC-2981 can express: the largest, the oldest among equals. */
export function largestOf(claims: readonly Claim[]): Claim | undefined {
  return claims.toSorted((one, other) => other.bps - one.bps)[0]
}
