import type { Ports } from '../ports/ports.ts'
import type { Listing } from '../tokens/listing.ts'
import { type Provenance, requireFound } from '../tokens/provenance.ts'
import type { TokenId } from '../values/branded.ts'
import { storageUri } from '../values/hex.ts'

/** The failures of `provenance`. */
export const provenanceFailures = ['ledger/unavailable', 'token/not-found'] as const

/**
 * Returns the permanent record of a token, with its storage URI.
 *
 * @throws `token/not-found`, `ledger/unavailable`
 */
export async function provenance(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId }: provenance.Input,
): Promise<provenance.Output> {
  const record = requireFound(tokenId, await ledger.provenance(tokenId))
  return { ...record, storageUri: storageUri(record.digest) }
}

export declare namespace provenance {
  type Input = { readonly tokenId: TokenId }
  type Output = Provenance & { readonly storageUri: string }
}

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
