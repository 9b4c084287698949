import type { TokenRow } from '../schema.ts'

type WithClaims = Pick<TokenRow, 'claims'>

/** Returns the royalty claims on a token in basis points, the oldest first. */
export function parseClaims(token: WithClaims | undefined): readonly number[] {
  return token?.claims ? token.claims.split(' ').map(Number) : []
}

/** Returns the claims on a licensed fork: those on its parent, then its own share, if any. */
export function claimsOfFork(parent: WithClaims | undefined, royaltyBps: number): string {
  return [...parseClaims(parent), royaltyBps].filter((share) => share > 0).join(' ')
}
