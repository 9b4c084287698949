import { readHeader } from '@heirloom/adapters/cipher'
import type { KeyFacts } from '@heirloom/adapters/keys'
import type { MintedToken } from '@heirloom/adapters/ledger/minted'
import { type BlobStore, isFailure, type TokenId } from '@heirloom/core'

/** Which memories are sealed under which key; it only ever grows. */
export type KeyCensus = {
  /** The tokens whose memories are stored here, by the id of the key they are sealed under. */
  readonly byKey: ReadonlyMap<string, readonly TokenId[]>
  /** Counts the tokens that were minted since the last time; many may wait for the same count. */
  readonly catchUp: () => Promise<void>
}

/** Returns the tokens that were minted after one, in their order. */
export type MintedAfter = (after: TokenId | undefined) => AsyncIterable<MintedToken>

export declare namespace keyCensus {
  type Input = {
    readonly minted: MintedAfter
    /** Returns the head of a blob that is stored here. */
    readonly head: BlobStore['head']
  }
}

/** Counts memories by the keys they are sealed under. It needs no key. */
export function keyCensus({ minted, head }: keyCensus.Input): KeyCensus {
  const byKey = new Map<string, TokenId[]>()
  let last: TokenId | undefined
  const count = async () => {
    for await (const { tokenId, digest } of minted(last)) {
      const key = await keyIn(() => head(digest))
      if (key !== undefined) tokensOf(byKey, key).push(tokenId)
      last = tokenId
    }
  }
  let counting: Promise<void> | undefined
  return {
    byKey,
    catchUp: () => {
      counting ??= count().finally(() => {
        counting = undefined
      })
      return counting
    },
  }
}

function tokensOf(byKey: Map<string, TokenId[]>, key: string): TokenId[] {
  const tokens = byKey.get(key) ?? []
  byKey.set(key, tokens)
  return tokens
}

/** Returns the id of the key that an envelope names; nothing where it is not here or is none. */
async function keyIn(head: () => Promise<Uint8Array>): Promise<string | undefined> {
  try {
    const { sealingKeyId } = readHeader(await head())
    return Buffer.from(sealingKeyId).toString('hex')
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

const isAbsence = (error: unknown): boolean =>
  isFailure(error, 'blob/not-found') ||
  isFailure(error, 'blob/corrupt') ||
  isFailure(error, 'bundle/unreadable')

/** Memories that are stored here, and the keys they are sealed under are not. */
export type Missing = { readonly memories: number; readonly keys: readonly string[] }

/** Returns what is sealed under keys that are neither here nor were destroyed. */
export function missingIn(
  { byKey }: Pick<KeyCensus, 'byKey'>,
  facts: readonly Pick<KeyFacts, 'id'>[],
): Missing {
  const known = new Set(facts.map(({ id }) => id))
  const missing = [...byKey].filter(([id]) => !known.has(id))
  const memories = missing.reduce((sum, [, tokens]) => sum + tokens.length, 0)
  return { memories, keys: missing.map(([id]) => id) }
}
