import { rateText } from '../api/signed-texts.ts'
import { type Account, noAccountError, type RequestSigner, sendSigned } from './access-proof.ts'
import type { Reads } from './reads.ts'
import type { TokenIdInput } from './requests.ts'
import type { Rating } from './responses.ts'
import { refuseUnknown } from './transport/known-members.ts'
import { encodeTokenId, requestLine } from './transport/request-line.ts'
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
  async (input, options = {}) => {
    refuseUnknown<RateInput>('rate', input, { tokenId: 1, score: 1, comment: 1 })
    const { tokenId: id, score, comment = '' } = input
    if (account === undefined) throw noAccountError('rating')
    const tokenId = encodeTokenId(id)
    const opinion = { score, comment }
    return sendSigned(parts, {
      ...requestLine('rate', tokenId),
      options,
      account,
      content: opinion,
      textOf: (place, by) => rateText(place, { tokenId, ...by, ...opinion }),
    })
  }

/** The average of scores, and how many there are. */
type ScoreAverage = { readonly average: number; readonly number: number }

/** Describes an average in a sentence, with the number of accounts that gave the scores. */
export const describeAverage = ({ average, number }: ScoreAverage): string =>
  `${average.toFixed(1)} of 5 on average, by ${payers(number)}.`

/** Describes an average in a few words, with the number of accounts that gave the scores. */
export const summarizeAverage = ({ average, number }: ScoreAverage): string =>
  `${average.toFixed(1)} of 5 by ${payers(number)}`

const payers = (number: number): string =>
  number === 1 ? '1 account that paid' : `${number} accounts that paid`

/** Averages scores by their numbers, that of score 1 first; `undefined` where there are none. */
export function scoreAverage(counts: readonly number[]): ScoreAverage | undefined {
  const number = counts.reduce((sum, count) => sum + count, 0)
  const sum = counts.reduce((total, count, at) => total + count * (at + 1), 0)
  return number === 0 ? undefined : { average: sum / number, number }
}

/**
 * Returns how those who paid rated tokens, in a few words by the id of the token; nothing of tokens
 * that nobody rated. A server of an earlier version has no ratings, and one that cannot read them
 * shows the rest: then it returns nothing.
 */
export async function readRated(
  client: Pick<Reads, 'ratingCounts'>,
  tokenIds: readonly string[],
  options: Pick<CallOptions, 'signal'>,
): Promise<ReadonlyMap<string, string>> {
  const rated = new Map<string, string>()
  if (tokenIds.length === 0) return rated
  const counted = await client.ratingCounts(tokenIds, options).catch(() => undefined)
  for (const { tokenId, counts } of counted?.items ?? []) {
    const average = scoreAverage(counts)
    if (average === undefined) continue
    rated.set(tokenId, summarizeAverage(average))
  }
  return rated
}
