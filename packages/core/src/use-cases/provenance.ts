import { storageUri } from '../domain/hash.ts'
import type { Provenance } from '../domain/provenance.ts'
import { requireFound, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'

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
