import { Failure } from '../failure.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import type { Profiles } from '../ports/profiles.ts'
import { refuseStale } from '../tokens/access.ts'
import { type Profile, type SelfDescription, selfDescription } from '../tokens/profile.ts'
import type { Account } from '../values/branded.ts'
import { fromSeconds } from '../values/time.ts'
import { type rate, requireCounted } from './rate.ts'

/** The failures of `setProfile`. */
export const setProfileFailures = [
  'ledger/unavailable',
  'profile/malformed',
  'profile/no-token',
  'profile/too-many',
  'profile/unavailable',
  'proof/not-signed',
  'proof/replaced',
  'proof/stale',
  'service/busy',
] as const

/**
 * Sets the profile of an account that owns or made a token here. A later one replaces an earlier one.
 *
 * @throws `profile/malformed`, `profile/no-token`, `profile/too-many`, `profile/unavailable`,
 * `proof/stale`, `proof/not-signed`, `proof/replaced`, `ledger/unavailable`, `service/busy`, and the failures of `tokens`
 */
export async function setProfile(
  { clock, ledger, profiles, bounds, ...parts }: setProfile.Parts,
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
  return requireCounted(await profiles.put(profile, { client, now, bounds }), statement, signedAt)
}

export declare namespace setProfile {
  type Parts = Pick<rate.Parts, 'clock' | 'ledger' | 'catchUp'> & {
    readonly catalogue: Pick<Catalogue, 'tokens'>
    readonly profiles: Pick<Profiles, 'put'>
    readonly bounds: Parameters<Profiles['put']>[1]['bounds']
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
  const hasToken = async () => {
    for (const filter of [{ owner: account }, { creator: account }]) {
      if ((await catalogue.tokens({ ...filter, limit: 1 })).items.length > 0) return true
    }
    return false
  }
  if (await hasToken()) return
  await catchUp()
  if (!(await hasToken())) throw new Failure('profile/no-token', { account })
}
