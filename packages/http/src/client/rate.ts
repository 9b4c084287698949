import { rateText } from '../api/rate-text.ts'
import { noAccountError } from './proof/access-headers.ts'
import type { Account } from './proof/access-proof.ts'
import { type RequestSigner, signedHeaders } from './proof/signed-headers.ts'
import type { TokenIdInput } from './requests.ts'
import type { Rating } from './responses.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeJson, encodeTokenId } from './transport/encode-values.ts'
import { requestLine } from './transport/request-line.ts'
import type { CallOptions } from './transport/transport.ts'

/** The opinion of the account of the client. */
export type RateInput = {
  readonly tokenId: TokenIdInput
  /** From 1, the worst, to 5, the best. */
  readonly score: number
  /** At most 500 characters; none when absent. */
  readonly comment?: string | undefined
}

/** Rates a token, as an account that paid for it. */
export type Rate = (input: RateInput, options?: Pick<CallOptions, 'signal'>) => Promise<Rating>

type Parts = RequestSigner & { readonly account: Account | undefined }

/** Creates the `rate` call. It may be repeated: an account has one rating of a token. */
export const createRate =
  ({ account, ...parts }: Parts): Rate =>
  async ({ tokenId: id, score, comment = '' }, options = {}) => {
    if (account === undefined) throw noAccountError('rating')
    const tokenId = encodeTokenId(id)
    const opinion = { score, comment }
    const headers = await signedHeaders(parts, account, (place, timestamp) =>
      rateText(place, { tokenId, account: account.address, timestamp, ...opinion }),
    )
    const response = await parts.transport.send({
      ...requestLine('rate', tokenId),
      options,
      body: encodeJson(opinion),
      headers: () => headers,
    })
    return decodeResponse<Rating>(response)
  }
