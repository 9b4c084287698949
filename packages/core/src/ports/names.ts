import type { Idempotency } from '../tokens/write-terms.ts'
import type { Account, Digest, Hash, Hex, Instant, TokenId } from '../values/branded.ts'
import type { Name, OwnedName } from '../values/name.ts'
import type { PageInput } from './catalogue.ts'
import type { GrantId } from './grants.ts'

/** The id of a hold: the right to save the next version of a name. */
export type HoldId = string

/** A request to save the next version of a name. */
export type SaveRequest = OwnedName & {
  /**
   * The version that the caller believes to be the last, 0 for none. When absent it is the last one
   * at the call, so that a caller who waits for another save loses to it.
   */
  readonly after?: TokenId | undefined
  /** The one who saves, as the owner of the name shall read it. */
  readonly savedBy: string
  /** The grant of the one who saves to the name of another account, which decides at the mint. */
  readonly grant?: GrantId | undefined
  /** Makes the save once for all requests of the owner with this key. */
  readonly idempotency?: Idempotency | undefined
}

/** A version as it will be once its token is minted. Sizes are bytes. */
export type SealedVersion = {
  readonly contentHash: Hash
  readonly digest: Digest
  readonly creator: Account
  readonly recipient: Account
  readonly documentBytes: number
  /** The bytes that were stored for it, parts that it shares with earlier versions not counted. */
  readonly storedBytes: number
}

/** A version of a name. */
export type SavedVersion = SealedVersion & {
  /** 1 for the first version. */
  readonly version: number
  readonly tokenId: TokenId
  /** The transaction of the mint; absent for a token that was found on the chain later. */
  readonly txHash: Hex | undefined
  readonly savedAt: Instant
  readonly savedBy: string
}

/** A hold, with the last version of its name; or the version that an earlier equal request saved. */
export type HoldResult =
  | { readonly kind: 'held'; readonly id: HoldId; readonly last: SavedVersion | undefined }
  | { readonly kind: 'saved'; readonly version: SavedVersion }

/** The mint that ends a hold. */
export type NamedMint = {
  readonly tokenId: TokenId
  readonly txHash: Hex | undefined
  readonly acceptedAt: Instant
}

/** A name with its last version. */
export type NameRecord = {
  readonly name: Name
  readonly last: SavedVersion
}

/** A page of names or versions; `next` is the cursor of the page after it. */
export type NamesPage<Item> = {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

/**
 * Remembers the versions that are saved to private names. One save at a time holds a name, from
 * before its mint until the mint is decided. Any method may fail with `name/unavailable`.
 *
 * Laws
 * - numbers the versions of a name from 1
 * - refuses a save after another version than the last with `name/moved`
 * - lets one of two racing saves win
 * - lets the next save go on where a hold is released
 * - makes no version of a token that it refuses
 * - returns the first version again for the same key and request
 * - refuses a key of the owner that is reused for another request with `idempotency/key-reused`
 * - separates the names of different owners
 * - lists names and versions in pages
 * - finds the version of a name that a token is, and none of another name
 * - renames a name with all its versions, but to none that is taken
 * - forgets a name with all its versions
 * - refuses to forget a name with another last version with `name/moved`
 */
export interface Names {
  /**
   * Holds a name for one save; waits for a save that holds it. The first hold of a name makes it.
   *
   * @throws `name/moved` when the last version is another one, `name/held` when another save does not
   * end in time, `idempotency/key-reused`
   */
  hold(request: SaveRequest): Promise<HoldResult>
  /**
   * Notes durably what the mint of a hold will record, so that its version is found after a crash.
   *
   * @throws `name/moved` when the hold was given up
   */
  note(hold: HoldId, sealed: SealedVersion): Promise<void>
  /** Ends a hold whose token is minted: the name moves to it. Returns the new version. */
  move(hold: HoldId, minted: NamedMint): Promise<SavedVersion>
  /**
   * Ends a hold for which no token was minted, and none will be; with `refused` one whose token is no
   * version for good. Changes nothing where the token is a version already.
   */
  release(hold: HoldId, refused?: NamedMint): Promise<void>
  /** Returns a name with its last version; `undefined` for one without versions. */
  find(name: OwnedName): Promise<NameRecord | undefined>
  /** Returns the names of an owner that have versions, in one order. */
  list(owner: string, page: PageInput): Promise<NamesPage<NameRecord>>
  /**
   * Returns the versions of a name, the newest first.
   *
   * @throws `name/not-found`
   */
  versions(name: OwnedName, page: PageInput): Promise<NamesPage<SavedVersion>>
  /** Returns the version of a name that a token is; `undefined` for a token that is none. */
  versionOf(name: OwnedName, token: TokenId): Promise<SavedVersion | undefined>
  /**
   * Gives a name another text.
   *
   * @throws `name/not-found`, `name/taken`, `name/held`
   */
  rename(name: OwnedName, to: Name): Promise<void>
  /**
   * Forgets a name and its versions; their tokens stay. With `last` only a name that has this token
   * as its last version, so that a repeated call never removes a line that has begun since.
   *
   * @throws `name/not-found`, `name/held`, `name/moved` when the last version is another one
   */
  forget(name: OwnedName, last?: TokenId): Promise<void>
}
