import { readHeader } from '@heirloom/adapters/cipher'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import type { KeyFacts } from '@heirloom/adapters/keys'
import {
  type Account,
  type BlobStore,
  type Digest,
  isFailure,
  sameAccount,
  type TokenId,
} from '@heirloom/core'
import { packsOf } from '../packs/packs-of.ts'

/**
 * A census of the tokens by the key that their bundles are sealed under. It only grows, but for what
 * is missing: a blob that comes back is found.
 */
export type KeyCensus = {
  /** The tokens whose bundles are stored here, by the id of their sealing key. */
  readonly byKey: ReadonlyMap<string, readonly TokenId[]>
  /** Those of the keys that a bundle of this installation has. */
  readonly ourKeys: ReadonlySet<string>
  /** Whether enough was counted to know what is lost: each token once, unless fewer decide. */
  readonly isCounted: () => boolean
  /** The number of tokens of `creators` whose bundles are not stored here: their keys are unknown. */
  readonly notHere: () => number
  /** The number of tokens of `creators` whose bundles are stored here, and damaged. */
  readonly damaged: () => number
  /**
   * Adds the tokens that were minted since the last call, and looks for some of the missing blobs
   * again; concurrent calls share one run.
   */
  readonly catchUp: () => Promise<void>
}

/** Returns the tokens that were minted after a token, in order. */
export type MintedAfter = (after: TokenId | undefined) => AsyncIterable<MintedToken>

/** The most blobs that are looked for again in one run, and are still missing. */
const missesPerRun = 100

export declare namespace keyCensus {
  type Input = {
    readonly minted: MintedAfter
    /** Reads the head of a blob that is stored here. */
    readonly head: BlobStore['head']
    /**
     * Whether this installation sealed the bundle of a token: a peer may have sent it for a token of a
     * stranger. It did when absent.
     */
    readonly isOurs?: (token: MintedToken) => Promise<boolean>
    /** The wallets whose tokens are counted when they are not stored here; none when absent. */
    readonly creators?: readonly Account[]
    /** Whether the bundle of a token of theirs that is not here was here before; it was when absent. */
    readonly wasHere?: ((token: MintedToken) => Promise<boolean>) | undefined
    /**
     * Whether each of those is counted, or all of them and only while none is stored here: then the
     * place is another one. `each` when absent.
     */
    readonly losses?: 'each' | 'only-all'
  }
}

/** Returns an empty census of the tokens by their sealing keys. It needs no key. */
export function keyCensus({ minted, head, creators = [], ...input }: keyCensus.Input): KeyCensus {
  const { losses, isOurs = async () => true, wasHere = async () => true } = input
  const keys = tokensByKey(isOurs)
  /** The own tokens whose bundles are missing or damaged, those first that were looked up longest ago. */
  const lost = new Map<TokenId, { readonly token: MintedToken; readonly isHere: boolean }>()
  let last: TokenId | undefined
  /** Whether the bundle of a token of `creators` was here. */
  let hasOwn = false
  let isCounted = creators.length === 0
  const headWithPacks = requirePacks(head)
  const isOwn = ownTokensOf(creators)
  const noteOwn = async (token: MintedToken, key: string | undefined) => {
    hasOwn ||= key !== notHere
    if (key === undefined || (key === notHere && (await wasHere(token)))) {
      lost.set(token.tokenId, { token, isHere: key === undefined })
    }
    if (hasOwn && losses === 'only-all') lost.clear()
  }
  /** Returns whether the key of a token is known now, or its memory was erased. */
  const record = async (token: MintedToken) => {
    const key = await sealingKeyOf(() => (isOwn(token) ? headWithPacks : head)(token.digest))
    lost.delete(token.tokenId)
    const isFound = key !== undefined && key !== notHere
    if (isFound && key !== erased) await keys.add(key, token)
    if (isOwn(token)) await noteOwn(token, key)
    return isFound
  }
  const lookAgain = async () => {
    let misses = 0
    for (const { token } of [...lost.values()]) {
      if (misses === missesPerRun) return
      if (!(await record(token))) misses += 1
    }
  }
  const count = async () => {
    await lookAgain()
    for await (const token of minted(last)) {
      await record(token)
      last = token.tokenId
    }
    isCounted = true
  }
  return {
    byKey: keys.byKey,
    ourKeys: keys.ourKeys,
    isCounted: () => isCounted || (hasOwn && losses === 'only-all'),
    notHere: () => countLost(lost, false),
    damaged: () => countLost(lost, true),
    catchUp: sharedRun(count),
  }
}

/** Returns a function whose concurrent calls share one run. */
function sharedRun(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Returns whether one of some accounts minted a token; the payer of a licensed fork chooses its creator. */
export const ownTokensOf =
  (creators: readonly Account[]) =>
  ({ creator, isFork }: MintedToken): boolean =>
    !isFork && creators.some((it) => sameAccount(creator, it))

type Lost = ReadonlyMap<TokenId, { readonly isHere: boolean }>

const countLost = (lost: Lost, here: boolean): number =>
  [...lost.values()].filter(({ isHere }) => isHere === here).length

/** Returns a reader of heads that requires the packs that they name, each once: versions share them. */
function requirePacks(head: BlobStore['head']): BlobStore['head'] {
  const present = new Set<Digest>()
  return async (root) => {
    const sealed = await head(root)
    for (const pack of packsOf(sealed)) {
      if (!present.has(pack)) await head(pack)
      present.add(pack)
    }
    return sealed
  }
}

function tokensByKey(isOurs: (token: MintedToken) => Promise<boolean>) {
  const byKey = new Map<string, TokenId[]>()
  const ourKeys = new Set<string>()
  return {
    byKey,
    ourKeys,
    add: async (key: string, token: MintedToken): Promise<void> => {
      const tokens = byKey.get(key) ?? []
      tokens.push(token.tokenId)
      byKey.set(key, tokens)
      if (!ourKeys.has(key) && (await isOurs(token))) ourKeys.add(key)
    },
  }
}

/** Stands for the key of a bundle that is not stored here. */
const notHere = 'not here'

/** Stands for the key of a bundle that was erased, as its owner wanted. */
const erased = 'erased'

/**
 * Returns the id of the key that an envelope names; `undefined` if the blob, or a pack of it, is
 * damaged or no envelope.
 */
async function sealingKeyOf(head: () => Promise<Uint8Array>): Promise<string | undefined> {
  try {
    const { sealingKeyId } = readHeader(await head())
    return Buffer.from(sealingKeyId).toString('hex')
  } catch (error) {
    if (isFailure(error, 'blob/not-found')) return notHere
    if (isFailure(error, 'memory/erased')) return erased
    if (isDamage(error)) return undefined
    throw error
  }
}

const isDamage = (error: unknown): boolean =>
  isFailure(error, 'blob/corrupt') || isFailure(error, 'bundle/unreadable')

/** The missing keys, and the number of stored memories that are sealed under them. */
export type MissingKeys = { readonly memories: number; readonly keys: readonly string[] }

/** Finds the keys of this installation in the census that are neither here nor destroyed. */
export function findMissingKeys(
  { byKey, ourKeys }: Pick<KeyCensus, 'byKey' | 'ourKeys'>,
  facts: readonly Pick<KeyFacts, 'id'>[],
): MissingKeys {
  const known = new Set(facts.map(({ id }) => id))
  const missing = [...byKey].filter(([id]) => ourKeys.has(id) && !known.has(id))
  const memories = missing.reduce((sum, [, tokens]) => sum + tokens.length, 0)
  return { memories, keys: missing.map(([id]) => id) }
}
