import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { systemClock } from '@heirloom/adapters/clock'
import type { CachedBundles } from '@heirloom/adapters/internal/decrypted-cache'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import type { StoredErasures } from '@heirloom/adapters/keys'
import type { Ledger, OpenBlobStore, TokenId } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { type Erasing, erasing } from '../erasing/erasing.ts'
import { forgetting } from '../erasing/forgetting.ts'
import { holdingsOnChain } from '../erasing/holdings.ts'
import { refreshInterval } from '../keys/open-keys.ts'
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
  const removal = { erasures, blobStore, catalogue, forgetCached: input.forget, interval }
  const forgets = forgetting({ ...removal, onTrouble })
  resources.defer(forgets.close)
  const { source, contracts } = chain
  const minted = (after: TokenId | undefined) => mintedTokens({ chain: source, contracts, after })
  const parts = { blobStore, cipher, ledger, erasures, clock: systemClock(), forgetting: forgets }
  const holdings = holdingsOnChain({ catalogue, minted })
  return { erasing: erasing({ ...parts, holdings }), erasedAt: erasures.find }
}
