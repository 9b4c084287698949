import type { MarkedProfile, Profile } from '../tokens/profile.ts'
import type { Account, Hex, Instant } from '../values/branded.ts'
import type { GrantRequest } from './grants.ts'

/** The one who brings a profile, the time, and the most profiles of one client and in all. */
export type ProfileRequest = Pick<GrantRequest, 'client' | 'now'> & {
  readonly bounds: Pick<GrantRequest['bounds'], 'ofClient' | 'inAll'>
}

/** The bound that a failure names where there is no room for the profile of anyone. */
export const everyProfile = 'all accounts'

/** Some of the profiles that are to give way. */
export type OldProfiles = {
  /** The first address to look at; after the last one come those before it. */
  readonly from: Hex
  /** The time since which a profile is not old. */
  readonly before: Instant
  readonly limit: number
}

/**
 * Remembers the profiles of accounts. Any method may fail with `profile/unavailable`.
 *
 * Laws
 * - finds the profiles of accounts, and nothing of others
 * - keeps one profile of an account, the one that was signed last
 * - shows no profile that was taken back, and takes no earlier one again
 * - marks a name that another account took first, as it looks
 * - searches profiles by any part of a name, as it looks
 * - refuses a profile beyond a bound with `profile/too-many`, but never a change
 * - returns the accounts of old profiles, from an address on and then from the first
 * - forgets an old profile, whose room and name are free
 */
export interface Profiles {
  /**
   * Puts a profile durably, unless the account signed another one at the same time or later. Returns
   * the one that counts.
   *
   * @throws `profile/too-many`
   */
  put(profile: Profile, request: ProfileRequest): Promise<Profile>
  /** Returns the profiles of those among several accounts that have one, in any order. */
  find(accounts: readonly Account[]): Promise<readonly MarkedProfile[]>
  /** Returns at most `limit` profiles whose names have a text, those first that took theirs first. */
  search(text: string, limit: number): Promise<readonly MarkedProfile[]>
  /** Returns accounts whose profiles were signed before a time, by their addresses. */
  listOld(query: OldProfiles): Promise<readonly Account[]>
  /** Forgets the profile of an account that was signed before a time. */
  forget(account: Account, before: Instant): Promise<void>
}
