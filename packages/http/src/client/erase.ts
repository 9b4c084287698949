import { eraseText } from '../api/signed-texts.ts'
import { type Account, type RequestSigner, sendSigned } from './access-proof.ts'
import type { TokenIdInput } from './requests.ts'
import type { Erased } from './responses.ts'
import { refuseUnknown } from './transport/known-members.ts'
import { encodeTokenId, requestLine } from './transport/request-line.ts'
import type { CallOptions } from './transport/transport.ts'

/** The owner that erases. */
export type EraseTerms = {
  /**
   * The owner of the token: the account of the client, which signs, or the agent wallet of the server,
   * for an API key with the scope admin. The account when absent, if the client has one.
   */
  readonly as?: 'account' | 'agent' | undefined
}

/** Erases the memory of a token for ever. */
export type Erase = (
  tokenId: TokenIdInput,
  terms?: EraseTerms,
  options?: Pick<CallOptions, 'signal'>,
) => Promise<Erased>

type Parts = RequestSigner & { readonly account: Account | undefined }

/** Creates the `erase` call. It may be repeated: a memory that was erased stays as it is. */
export const createErase =
  ({ account, ...parts }: Parts): Erase =>
  async (id, terms = {}, options = {}) => {
    refuseUnknown<EraseTerms>('erase', terms, { as: 1 })
    const { as = 'account' } = terms
    const tokenId = encodeTokenId(id)
    return sendSigned(parts, {
      ...requestLine('erase', tokenId),
      options,
      account: as === 'account' ? account : undefined,
      textOf: (place, by) => eraseText(place, { tokenId, ...by }),
    })
  }
