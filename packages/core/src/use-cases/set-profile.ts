import { Failure, isFailure } from '../failure.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import { everyProfile, type ProfileRequest, type Profiles } from '../ports/profiles.ts'
import { proofWindowSeconds, refuseStale } from '../tokens/access.ts'
import { type Profile, type SelfDescription, selfDescription } from '../tokens/profile.ts'
import type { Account, Hex } from '../values/branded.ts'
import { fromSeconds, instant } from '../values/time.ts'
import { proofFailures } from './prove-account.ts'
import { type rate, requireCounted } from './rate.ts'

/** The failures of `setProfile`. */
export const setProfileFailures = [
  ...proofFailures,
  'profile/malformed',
  'profile/no-token',
  'profile/too-many',
  'profile/unavailable',
  'proof/replaced',
] as const

/**
 * Sets the profile of an account that owns or made a token here. A later one replaces an earlier one.
 * Where there is no room, that of an account gives way that neither owns nor made a token any more.
 *
 * @throws `profile/malformed`, `profile/no-token`, `profile/too-many`, `profile/unavailable`,
 * `proof/stale`, `proof/not-signed`, `proof/replaced`, `ledger/unavailable`, `service/busy`, and the failures of `tokens`
 */
export async function setProfile(
  { clock, ledger, bounds, ...parts }: setProfile.Parts,
  { account, proof, client, ...given }: setProfile.Input,
): Promise<Profile> {
  const described = selfDescription(given)
  const now = clock.now()
  refuseStale(proof, now)
  const { timestamp, message, signature } = proof
  const statement = { account, message, signature }
  const isSigned = await ledger.isSignedByKey(statement)
  if (isSigned === false) throw new Failure('proof/not-signed', { account })
  await requireToken(parts, account)
  // Anyone can name a contract, so its code runs only for one that has to do with a token.
  if (isSigned === undefined && !(await ledger.isSignedByContract(statement))) {
    throw new Failure('proof/not-signed', { account })
  }
  const signedAt = fromSeconds(timestamp)
  const profile = { account, ...described, signedAt, message, signature }
  return requireCounted(await put(parts, profile, { client, now, bounds }), statement, signedAt)
}

export declare namespace setProfile {
  type Parts = Pick<rate.Parts, 'clock' | 'ledger' | 'catchUp'> & {
    readonly catalogue: Pick<Catalogue, 'tokens'>
    readonly profiles: Pick<Profiles, 'put' | 'listOld' | 'forget'>
    readonly bounds: ProfileRequest['bounds']
  }
  type Input = SelfDescription & {
    readonly account: Account
    readonly proof: rate.Input['proof']
    readonly client: string
  }
}

/**
 * Requires that an account owns or made a token, perhaps one that is newer than what the catalogue shows.
 *
 * @throws `profile/no-token`
 */
async function requireToken(
  { catalogue, catchUp }: Pick<setProfile.Parts, 'catalogue' | 'catchUp'>,
  account: Account,
): Promise<void> {
  if (await hasToken(catalogue, account)) return
  await catchUp()
  if (!(await hasToken(catalogue, account))) throw new Failure('profile/no-token', { account })
}

async function hasToken(
  { tokens }: setProfile.Parts['catalogue'],
  account: Account,
): Promise<boolean> {
  for (const filter of [{ owner: account }, { creator: account }]) {
    if ((await tokens({ ...filter, limit: 1 })).items.length > 0) return true
  }
  return false
}

/** The most profiles of others that are looked at for one that gives way. */
const mostLookedAt = 50

/** Puts a profile, in the place of one of an account without tokens where there is no room. */
async function put(
  { catalogue, catchUp, profiles }: Pick<setProfile.Parts, 'catalogue' | 'catchUp' | 'profiles'>,
  profile: Profile,
  request: ProfileRequest,
): Promise<Profile> {
  try {
    return await profiles.put(profile, request)
  } catch (error) {
    if (!isFull(error)) throw error
    // A catalogue that is behind does not show the tokens of all.
    await catchUp()
    // One that was just signed could be brought again; each signature looks at others.
    const before = instant(request.now - proofWindowSeconds * 1000)
    const from = profile.signature.slice(0, 42).toLowerCase() as Hex
    for (const account of await profiles.listOld({ from, before, limit: mostLookedAt })) {
      if (await hasToken(catalogue, account)) continue
      await profiles.forget(account, before)
      return profiles.put(profile, request)
    }
    throw error
  }
}

const isFull = (error: unknown): boolean =>
  isFailure(error, 'profile/too-many') && error.facts.what === everyProfile
