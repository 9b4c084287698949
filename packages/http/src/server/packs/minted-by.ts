import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import { type Account, type Digest, Failure, sameAccount, type TokenId } from '@heirloom/core'

export declare namespace mintedBy {
  type Parts = {
    readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'tokens'>
    /** Returns the tokens after a token as the head of the chain has them. */
    readonly minted: (after: TokenId | undefined) => AsyncIterable<MintedToken>
  }
}

/** The longest wait for the catalogue, in milliseconds. */
const catchUpLimit = 30_000

/**
 * Returns the digests of all tokens of a creator. The catalogue must have read the head of the chain,
 * and the tokens that it does not show yet are read from the chain.
 *
 * @throws `ledger/unavailable` while the catalogue is far behind, and the failures of both
 */
export async function mintedBy(
  { catalogue, minted }: mintedBy.Parts,
  creator: Account,
  closing: AbortSignal,
): Promise<ReadonlySet<Digest>> {
  const signal = AbortSignal.any([AbortSignal.timeout(catchUpLimit), closing])
  await catalogue.caughtUp(signal)
  if (signal.aborted) throw new Failure('ledger/unavailable', { operation: 'read all tokens' })
  const newest = (await catalogue.tokens({ limit: 1 })).items[0]?.tokenId
  const digests = new Set<Digest>()
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const { items, next } = await catalogue.tokens({ creator, limit: 100, after })
    for (const { digest } of items) digests.add(digest)
    after = next
  }
  for await (const token of minted(newest)) {
    if (sameAccount(token.creator, creator)) digests.add(token.digest)
  }
  return digests
}
