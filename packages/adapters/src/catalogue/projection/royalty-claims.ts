import type { TokenRow } from '../schema.ts'

type Claimed = Pick<TokenRow, 'claims'>

/** Returns the shares, in basis points, of the claims on a token, the oldest first. */
export function claimsIn(token: Claimed | undefined): readonly number[] {
  return token?.claims ? token.claims.split(' ').map(Number) : []
}

/** Returns the claims on a licensed fork: those on its parent, and the share that it added, if any. */
export function claimsOfFork(parent: Claimed | undefined, royaltyBps: number): string {
  return [...claimsIn(parent), royaltyBps].filter((share) => share > 0).join(' ')
}
