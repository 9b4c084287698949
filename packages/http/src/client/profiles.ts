import { profileText } from '../api/signed-texts.ts'
import { type Account, noAccountError, type RequestSigner, sendSigned } from './access-proof.ts'
import type { Profile } from './responses.ts'
import { refuseUnknown } from './transport/known-members.ts'
import { requestLine } from './transport/request-line.ts'
import type { CallOptions } from './transport/transport.ts'

/** The words of the account of the client about itself. */
export type ProfileInput = {
  /** At most 40 characters; empty, as all else, to take a profile back. */
  readonly name: string
  /** One sentence, at most 160 characters; none when absent. */
  readonly sentence?: string | undefined
  /** An address that begins with `https://`; none when absent. */
  readonly link?: string | undefined
}

/** Sets the profile of the account, which owns or made a token on the server. */
export type SetProfile = (
  input: ProfileInput,
  options?: Pick<CallOptions, 'signal'>,
) => Promise<Profile>

type Parts = RequestSigner & { readonly account: Account | undefined }

/** Creates the `setProfile` call. It may be repeated: an account has one profile. */
export const createSetProfile =
  ({ account, ...parts }: Parts): SetProfile =>
  async (input, options = {}) => {
    refuseUnknown<ProfileInput>('setProfile', input, { name: 1, sentence: 1, link: 1 })
    const { name, sentence = '', link = '' } = input
    if (account === undefined) throw noAccountError('profile')
    const described = { name, sentence, link }
    return sendSigned(parts, {
      ...requestLine('setProfile', account.address),
      options,
      account,
      content: described,
      textOf: (place, by) => profileText(place, { ...by, ...described }),
    })
  }
