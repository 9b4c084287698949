import { scoreAverage } from '../api/score-average.ts'
import type { Client } from './client.ts'
import type { CallOptions } from './transport/transport.ts'

/**
 * Returns how those who paid rated tokens, in a few words by the id of the token; nothing of tokens
 * that nobody rated. A server of an earlier version has no ratings, and one that cannot read them
 * shows the rest: then it returns nothing.
 */
export async function readRated(
  client: Pick<Client, 'ratingCounts'>,
  tokenIds: readonly string[],
  options: Pick<CallOptions, 'signal'>,
): Promise<ReadonlyMap<string, string>> {
  const rated = new Map<string, string>()
  if (tokenIds.length === 0) return rated
  const counted = await client.ratingCounts(tokenIds, options).catch(() => undefined)
  for (const { tokenId, counts } of counted?.items ?? []) {
    const average = scoreAverage(counts)
    if (average === undefined) continue
    rated.set(tokenId, `${average.average.toFixed(1)} of 5 by ${average.number} that paid`)
  }
  return rated
}
