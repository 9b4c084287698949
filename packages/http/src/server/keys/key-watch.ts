import { setTimeout } from 'node:timers/promises'
import { mintedTokens } from '@heirloom/adapters/ledger/minted'
import { type BlobStore, Failure } from '@heirloom/core'
import type { OpenChain } from '../open-chain.ts'
import { keyCensus, type Missing, missingIn } from './key-census.ts'
import type { ServerKeys } from './open-keys.ts'

/** Watches whether the keys of all memories that are stored here are here too. */
export type KeyWatch = {
  /** Returns how many memories are known to be sealed under keys that are not here. */
  readonly missing: () => Missing
  /**
   * Counts what was minted since, for at most a second, and requires every key.
   *
   * @throws `keys/not-here`
   */
  readonly requireAll: () => Promise<void>
}

export declare namespace keyWatch {
  type Input = {
    readonly chain: Pick<OpenChain, 'source' | 'contracts' | 'ready'>
    /** Returns the head of a blob that is stored here. */
    readonly head: BlobStore['head']
    readonly keys: Pick<ServerKeys, 'facts'>
    /** Hears once of keys that are missing at the start. */
    readonly onMissing: (failure: Failure<'keys/not-here'>) => void
  }
}

/** How long a question waits for a count under way, in milliseconds. */
const patience = 1000

/** Begins to count memories by their keys once the chain is ready. */
export function keyWatch({ chain, head, keys, onMissing }: keyWatch.Input): KeyWatch {
  const { source, contracts, ready } = chain
  const census = keyCensus({
    minted: (after) => mintedTokens({ chain: source, contracts, after }),
    head,
  })
  const missing = () => missingIn(census, keys.facts())
  const failure = (): Failure<'keys/not-here'> | undefined => {
    const { memories, keys } = missing()
    return memories === 0
      ? undefined
      : new Failure('keys/not-here', { memories, keys: keys.length })
  }
  // A chain or a disk that does not answer is reported by its own part; the next look counts on.
  const count = () => census.catchUp().catch(() => undefined)
  const warn = () => {
    const found = failure()
    if (found !== undefined) onMissing(found)
  }
  void ready.then(count).then(warn, () => undefined)
  return {
    missing,
    requireAll: async () => {
      await Promise.race([count(), setTimeout(patience, undefined, { ref: false })])
      const found = failure()
      if (found !== undefined) throw found
    },
  }
}
