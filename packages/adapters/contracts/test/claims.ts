const [whole, mostClaims] = [10_000, 8]

/** A claim of whoever made the token at a place of a line, the root at 0, in basis points. */
export type Claim = { readonly place: number; readonly bps: number }

/**
 * Returns the claims on the youngest of a line of forks, the oldest first, by the words of the rule
 * rather than by the code. The royalties are those that each parent was listed at.
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

/** Returns what each place of a line is due of a price of its youngest, which is the seller's. */
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

/** Returns the one claim that ERC-2981 has room for: the largest, the oldest of equals. */
export function largestOf(claims: readonly Claim[]): Claim | undefined {
  return claims.toSorted((one, other) => other.bps - one.bps)[0]
}
