import { setTimeout } from 'node:timers/promises'
import { type MintedToken, mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { type Account, type BlobStore, Failure } from '@heirloom/core'
import type { OpenChain } from '../open-chain.ts'
import { findMissingKeys, keyCensus, type MissingKeys } from './key-census.ts'
import type { ServerKeys } from './open-keys.ts'

/** Watches for memories that cannot be opened: their key is missing, or their blob. */
export type KeyWatch = {
  /** Returns the missing keys that are known so far. */
  readonly missing: () => MissingKeys
  /** Returns the number of memories of the owners that are missing or damaged, as known so far. */
  readonly lost: () => LostMemories
  /**
   * Updates the census, for less than a second, and requires that no key is missing.
   *
   * @throws `keys/not-here`, `service/part-silent` until the memories are counted
   */
  readonly requireAll: () => Promise<void>
  /**
   * Updates the census likewise, and requires that no memory of the owners is missing or damaged.
   *
   * @throws `memories/lost`, `service/part-silent` until the memories are counted
   */
  readonly requireMemories: () => Promise<void>
}

/** The memories of the owners whose blobs are not stored here, and those whose blobs are damaged. */
export type LostMemories = { readonly missing: number; readonly damaged: number }

export declare namespace keyWatch {
  type Input = {
    readonly chain: Pick<OpenChain, 'source' | 'contracts' | 'ready'>
    /** Reads the head of a blob that is stored here. */
    readonly head: BlobStore['head']
    readonly keys: Pick<ServerKeys, 'facts'>
    /** Whether this installation sealed the bundle of a token; the key of another does not count. */
    readonly isOurs: (token: MintedToken) => Promise<boolean>
    /** The accounts whose memories must all be stored here. */
    readonly owners: readonly Account[]
    /** Whether the memory of a token that is missing was here before; it was when absent. */
    readonly wasHere?: ((token: MintedToken) => Promise<boolean>) | undefined
    /** Whether each of them that is missing is reported, or all and only while none is here. */
    readonly losses?: 'each' | 'only-all'
    /** Is called if keys or memories are missing at the start. */
    readonly onMissing: (failure: Failure<'keys/not-here' | 'memories/lost'>) => void
  }
}

/** The longest time that a check waits for the census, in milliseconds. */
const timeout = 800

/** Starts the census of keys once the chain is ready. */
export function keyWatch({
  chain,
  head,
  keys,
  isOurs,
  owners,
  losses,
  wasHere,
  onMissing,
}: keyWatch.Input): KeyWatch {
  const { source, contracts, ready } = chain
  const census = keyCensus({
    minted: (after) => mintedTokens({ chain: source, contracts, after }),
    head,
    isOurs,
    wasHere,
    creators: owners,
    ...(losses && { losses }),
  })
  const missing = () => findMissingKeys(census, keys.facts())
  const failure = (): Failure<'keys/not-here'> | undefined => {
    const { memories, keys } = missing()
    return memories === 0
      ? undefined
      : new Failure('keys/not-here', { memories, keys: keys.length })
  }
  const lost = (): LostMemories => ({ missing: census.notHere(), damaged: census.damaged() })
  const loss = (): Failure<'memories/lost'> | undefined => {
    const { missing, damaged } = lost()
    return missing + damaged === 0 ? undefined : new Failure('memories/lost', { missing, damaged })
  }
  // The readiness checks of the chain and the disk report their failures; the next call goes on.
  const update = () => census.catchUp().catch(() => undefined)
  const warn = () => {
    for (const found of [failure(), loss()]) if (found !== undefined) onMissing(found)
  }
  const updateSoon = async (part: string) => {
    await Promise.race([update(), setTimeout(timeout, undefined, { ref: false })])
    if (!census.isCounted()) throw new Failure('service/part-silent', { part })
  }
  void ready.then(update).then(warn, () => undefined)
  return {
    missing,
    lost,
    requireAll: async () => {
      await updateSoon('keys')
      const found = failure()
      if (found !== undefined) throw found
    },
    requireMemories: async () => {
      await updateSoon('memories')
      const found = loss()
      if (found !== undefined) throw found
    },
  }
}
