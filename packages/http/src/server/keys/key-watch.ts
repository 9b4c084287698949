import { setTimeout } from 'node:timers/promises'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { type BlobStore, Failure } from '@heirloom/core'
import type { OpenChain } from '../open-chain.ts'
import { findMissingKeys, keyCensus, type MissingKeys } from './key-census.ts'
import type { ServerKeys } from './open-keys.ts'

/** Watches for missing keys of the memories that are stored here. */
export type KeyWatch = {
  /** Returns the missing keys that are known so far. */
  readonly missing: () => MissingKeys
  /**
   * Updates the census, for at most a second, and requires that no key is missing.
   *
   * @throws `keys/not-here`
   */
  readonly requireAll: () => Promise<void>
}

export declare namespace keyWatch {
  type Input = {
    readonly chain: Pick<OpenChain, 'source' | 'contracts' | 'ready'>
    /** Reads the head of a blob that is stored here. */
    readonly head: BlobStore['head']
    readonly keys: Pick<ServerKeys, 'facts'>
    /** Is called once if keys are missing at the start. */
    readonly onMissing: (failure: Failure<'keys/not-here'>) => void
  }
}

/** The longest time that `requireAll` waits for the census, in milliseconds. */
const timeout = 1000

/** Starts the census of keys once the chain is ready. */
export function keyWatch({ chain, head, keys, onMissing }: keyWatch.Input): KeyWatch {
  const { source, contracts, ready } = chain
  const census = keyCensus({
    minted: (after) => mintedTokens({ chain: source, contracts, after }),
    head,
  })
  const missing = () => findMissingKeys(census, keys.facts())
  const failure = (): Failure<'keys/not-here'> | undefined => {
    const { memories, keys } = missing()
    return memories === 0
      ? undefined
      : new Failure('keys/not-here', { memories, keys: keys.length })
  }
  // The readiness checks of the chain and the disk report their failures; the next call goes on.
  const update = () => census.catchUp().catch(() => undefined)
  const warn = () => {
    const found = failure()
    if (found !== undefined) onMissing(found)
  }
  void ready.then(update).then(warn, () => undefined)
  return {
    missing,
    requireAll: async () => {
      await Promise.race([update(), setTimeout(timeout, undefined, { ref: false })])
      const found = failure()
      if (found !== undefined) throw found
    },
  }
}
