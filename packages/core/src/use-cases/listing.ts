import type { Listing } from '../domain/listing.ts'
import { requireFound, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'

/** The failures of `listing`. */
export const listingFailures = ['ledger/unavailable', 'token/not-found'] as const

/**
 * Returns the live terms of a token.
 *
 * @throws `token/not-found`, `ledger/unavailable`
 */
export async function listing(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId }: listing.Input,
): Promise<listing.Output> {
  return requireFound(tokenId, await ledger.listing(tokenId))
}

export declare namespace listing {
  type Input = { readonly tokenId: TokenId }
  type Output = Listing
}
