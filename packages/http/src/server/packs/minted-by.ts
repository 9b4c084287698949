import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import {
  type Account,
  type Digest,
  Failure,
  linkOf,
  sameAccount,
  type TokenId,
} from '@heirloom/core'

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
 * Returns the digests of all tokens that a creator minted. A licensed fork is none: its payer chooses
 * its creator, and its source has the same digest. The catalogue must have read the head of the chain,
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
  const digests = new Set(await shownOf(catalogue, creator))
  for await (const token of minted(newest)) {
    if (!token.isFork && sameAccount(token.creator, creator)) digests.add(token.digest)
  }
  return digests
}

/** Returns the digests of the tokens that the catalogue shows. */
async function shownOf(
  catalogue: Pick<SqlCatalogue, 'tokens'>,
  creator: Account,
): Promise<readonly Digest[]> {
  const digests: Digest[] = []
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const { items, next } = await catalogue.tokens({ creator, limit: 100, after })
    const minted = items.filter((token) => linkOf(token) !== 'fork')
    digests.push(...minted.map(({ digest }) => digest))
    after = next
  }
  return digests
}
