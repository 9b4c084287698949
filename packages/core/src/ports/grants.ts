import type { Grant } from '../tokens/grant.ts'
import type { Account, Hex, Instant } from '../values/branded.ts'
import type { Name } from '../values/name.ts'
import type { Page, PageInput } from './catalogue.ts'

/** The id of a grant: its EIP-712 hash. */
export type GrantId = Hex

/** A grant that its owner deposited. */
export type DepositedGrant = {
  readonly id: GrantId
  readonly grant: Grant
  readonly signature: Hex
  /** A text for the owner alone; may be empty. */
  readonly label: string
}

/** The most grants; each number is of those that have not ended, and of what is remembered of revoked ones. */
export type GrantBounds = {
  /** The most grants of one owner, with those that it revoked one by one. */
  readonly ofOwner: number
  readonly ofClient: number
  readonly inAll: number
}

/** The one who brings something to remember, and the time. */
export type GrantRequest = {
  readonly client: string
  readonly now: Instant
  readonly bounds: GrantBounds
}

/** The reader of grants, and the owner that signed them. */
export type GrantPair = { readonly reader: Account; readonly owner: Account }

/** The part of a list of grants that is read, and the time. */
export type GrantsInput = PageInput & { readonly now: Instant }

/** The grant that its owner takes back. */
export type Revocation = {
  readonly id: GrantId
  readonly owner: Account
  /** The grant itself, which need not have been seen before; absent where only its id is known. */
  readonly grant: Pick<Grant, 'issuedAt' | 'expires'> | undefined
}

/**
 * Remembers the grants of owners, and what they revoked. A revoked grant is remembered until a day
 * after its end, so that nobody deposits it again. Any method may fail with `grant/unavailable`.
 *
 * Laws
 * - finds what was deposited, and nothing else
 * - replaces the label of a grant that is deposited again
 * - finds no grant that was revoked, and takes it never again
 * - revokes a grant that it has never seen
 * - revokes no grant of another owner
 * - revokes all grants of an owner that were signed before a time, and takes none of them later
 * - revokes the grants of one name of an owner, and counts those that had not ended
 * - lists the live grants of an owner, the last signed first, each once, page by page
 * - lists to a reader the live grants of those owners alone that it accepted, also later ones
 * - accepts nobody whose grants to the reader have ended or are not here
 * - lists a reader nothing of an owner that it ignores, until it accepts it again
 * - refuses a grant beyond a bound with `grant/too-many`
 * - keeps half of all room for deposits, whatever is revoked that it has never seen
 * - revokes a grant that it has, whatever the bounds
 * - forgets a day after its end what was deposited and what was revoked
 */
export interface Grants {
  /**
   * Deposits a grant durably.
   *
   * @throws `grant/revoked`, `grant/too-many`
   */
  deposit(deposited: DepositedGrant, request: GrantRequest): Promise<void>
  /** Returns a grant that was not revoked; it may have ended. */
  find(id: GrantId): Promise<DepositedGrant | undefined>
  /**
   * Revokes a grant durably. Returns false where it has never been seen and its text is missing.
   *
   * @throws `grant/too-many` for a grant that was never seen
   */
  revoke(revocation: Revocation, request: GrantRequest): Promise<boolean>
  /**
   * Revokes the grants of an owner that were signed before a time, in seconds since 1970, also those
   * that it has never seen; they take no room any more. An earlier time changes nothing.
   *
   * @throws `grant/too-many` for an owner of whom there is nothing
   */
  revokeAll(owner: Account, before: number, request: GrantRequest): Promise<void>
  /** Revokes the grants of a name durably. Returns how many of them had not ended. */
  revokeName(owner: Account, name: Name, now: Instant): Promise<number>
  /**
   * Returns the live grants of an owner, the last signed first, of equal times by their ids.
   *
   * @throws `request/malformed` for a cursor of another list
   */
  list(owner: Account, page: GrantsInput): Promise<Page<DepositedGrant>>
  /**
   * Has a reader see what an owner grants it here, now and later, until none of these grants is
   * remembered any more. Returns false where no live one is here.
   */
  accept(pair: GrantPair, now: Instant): Promise<boolean>
  /** Has a reader see nothing of an owner any more. */
  ignore(pair: GrantPair): Promise<void>
  /**
   * Returns the live grants to a reader of the owners that it accepted, in the order of `list`.
   *
   * @throws `request/malformed` for a cursor of another list
   */
  received(reader: Account, page: GrantsInput): Promise<Page<DepositedGrant>>
}
