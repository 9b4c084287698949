import { Failure } from '../failure.ts'
import type { Account, Digest, Hash } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import type { CommittedExcerpt } from './items-root.ts'
import type { SealedSaver } from './saver.ts'

/** A registry contract on one chain. */
export type Registry = {
  /** The id of its chain (EIP-155). */
  readonly chainId: number
  readonly address: Account
}

/**
 * The registry that a bundle is sealed for, and the account that may mint it there. It is public,
 * and the envelope authenticates it: a token whose source has another creator or another registry
 * is a copy.
 */
export type SealContext = { readonly registry: Registry; readonly creator: Account }

/** The content of a sealed bundle's head. */
export type Seal = {
  readonly context: SealContext
  readonly contentHash: Hash
  /** The blobs that hold its chunks, besides its own; none for a bundle that is one blob. */
  readonly packs: readonly Digest[]
  /** The Merkle root of the items of its document; absent where none was sealed. */
  readonly itemsRoot?: Hash
  /** The excerpts that its maker shows, all under the root; absent for none. */
  readonly excerpts?: readonly CommittedExcerpt[]
  /** The one who saved it; only of an authentic head, and absent where none is sealed in it. */
  readonly savedBy?: SealedSaver
  /**
   * Whether the cipher has the key of the bundle and authenticated the head. Anybody can write a
   * head that is not authentic.
   */
  readonly isAuthentic: boolean
}

/** Returns whether two contexts have the same chain, registry and creator. */
export function sameContext(one: SealContext, other: SealContext): boolean {
  return (
    one.registry.chainId === other.registry.chainId &&
    sameAccount(one.registry.address, other.registry.address) &&
    sameAccount(one.creator, other.creator)
  )
}

/**
 * Refuses a context other than the one that the bundle was sealed for.
 *
 * @throws `access/copied`
 */
export function refuseCopy(sealedFor: SealContext, context: SealContext): void {
  if (sameContext(sealedFor, context)) return
  const { registry, creator } = sealedFor
  throw new Failure('access/copied', {
    chainId: registry.chainId,
    registry: registry.address,
    creator,
  })
}

/**
 * Whether a token is an original or a copy. It follows from the seal of the memory and not from
 * the order of mints, because a copier may mint first.
 *
 * - `original`: sealed for the creator of the token's source, and minted once by it
 * - `repeated`: sealed for that creator, who minted the same hashes before
 * - `copied`: sealed for another creator, another registry or other content; nobody can open it
 * - `unverified`: not sealed under a key of this server, or its head is not stored here
 */
export type Originality = 'original' | 'repeated' | 'copied' | 'unverified'

/** The facts that decide the originality of a token. */
export type OriginalityFacts = {
  /**
   * Whether the memory was sealed for the token's source; absent when its head is not stored here.
   */
  readonly isOwn: boolean | undefined
  /** Whether this server sealed the same content for another creator. */
  readonly isOfAnother: boolean
  /** Whether the head is authenticated by a key of this server. */
  readonly isAuthentic: boolean
  /** Whether the creator of the source minted the same content hash and digest before. */
  readonly isRepeated: boolean
}

/** Returns the originality of a token. */
export function originalityOf(facts: OriginalityFacts): Originality {
  const { isOwn, isOfAnother, isAuthentic, isRepeated } = facts
  // First: a reader of a memory can have it sealed under its salt, and must not mark the original.
  if (isOwn && isAuthentic) return isRepeated ? 'repeated' : 'original'
  return isOfAnother || isOwn === false ? 'copied' : 'unverified'
}
