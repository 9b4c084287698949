import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { systemClock } from '@heirloom/adapters/clock'
import type { CachedBundles } from '@heirloom/adapters/internal/decrypted-cache'
import { type MintedToken, mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { dropIndex } from '@heirloom/adapters/internal/recall'
import type { StoredErasures } from '@heirloom/adapters/keys'
import type { Digest, Holdings, Ledger, OpenBlobStore, TokenId } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { type Erasing, erasing, forgetting } from '../erasing/erasing.ts'
import { refreshInterval } from '../keys/open-keys.ts'
import { catchUp } from '../open-catalogue.ts'
import type { OpenChain } from '../open-chain.ts'

type Input = Pick<CachedBundles, 'cipher' | 'forget'> & {
  readonly config: Pick<Config, 'databaseUrl'>
  readonly chain: Pick<OpenChain, 'source' | 'contracts'>
  readonly blobStore: OpenBlobStore
  readonly catalogue: SqlCatalogue
  readonly ledger: Ledger
  readonly erasures: StoredErasures
  readonly onTrouble: (error: unknown) => void
}

/** The time between two attempts to remove what could not be removed, in milliseconds. */
const retryInterval = 60_000

/** The erasing of a server, and when it erased a memory. */
type OpenErasing = { readonly erasing: Erasing; readonly erasedAt: StoredErasures['find'] }

/** Opens the erasing of memories, and goes on with what an earlier process or another server erased. */
export function openErasing(input: Input, resources: AsyncDisposableStack): OpenErasing {
  const { config, chain, blobStore, catalogue, cipher, ledger, erasures, onTrouble } = input
  const interval = config.databaseUrl === undefined ? retryInterval : refreshInterval
  const forgetCached = (digest: Digest) => {
    input.forget(digest)
    dropIndex(digest).catch(onTrouble)
  }
  const removal = { erasures, blobStore, catalogue, forgetCached, interval }
  const forgets = forgetting({ ...removal, onTrouble })
  resources.defer(forgets.close)
  const { source, contracts } = chain
  const minted = (after: TokenId | undefined) => mintedTokens({ chain: source, contracts, after })
  const parts = { blobStore, cipher, ledger, erasures, clock: systemClock(), forgetting: forgets }
  const holdings = holdingsOnChain({ catalogue, minted })
  return { erasing: erasing({ ...parts, holdings }), erasedAt: erasures.find }
}

declare namespace holdingsOnChain {
  type Parts = {
    readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'tokens' | 'rentals'>
    /** Returns the tokens after a token as the head of the chain has them. */
    readonly minted: (after: TokenId | undefined) => AsyncIterable<MintedToken>
  }
}

/** The longest wait for the catalogue, in milliseconds. */
const catchUpLimit = 10_000

/** The tokens of one page, and the most rentals that are read of a token. */
const pageLength = 100

/** Returns the tokens and the rentals of a chain, up to its head. */
function holdingsOnChain({ catalogue, minted }: holdingsOnChain.Parts): Holdings {
  return {
    tokensOf: async ({ digest, contentHash }) => {
      await catchUp(catalogue, catchUpLimit)
      const found: TokenId[] = []
      const [newest] = (await catalogue.tokens({ limit: 1 })).items
      for (let after: string | undefined, isMore = true; isMore; ) {
        const page = await catalogue.tokens({ contentHash, limit: pageLength, after })
        // A copy opens nothing, and anyone can mint any number of them.
        const own = page.items.filter((it) => it.digest === digest && it.originality !== 'copied')
        found.push(...own.map(({ tokenId }) => tokenId))
        after = page.next
        isMore = after !== undefined
      }
      // The catalogue may wait for the confirmation of the last blocks.
      for await (const token of minted(newest?.tokenId)) {
        if (token.digest === digest) found.push(token.tokenId)
      }
      return found
    },
    rentalsOf: async (tokenId, after) => {
      await catchUp(catalogue, catchUpLimit)
      return catalogue.rentals(tokenId, after, pageLength)
    },
  }
}
