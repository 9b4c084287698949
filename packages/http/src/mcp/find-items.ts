import { foldText, type PhraseRank, phraseRank } from '@heirloom/core'
import type { Client } from '../client/client.ts'
import { firstMatches } from '../client/parts.ts'
import type { FoundInMemory } from '../client/responses.ts'

type Match = FoundInMemory['matches'][number]

/** The most requests of one search: each looks at a few MiB. */
const mostRequests = 16

export declare namespace findItems {
  type Input = {
    readonly tokenId: string
    /** A question, or a text to find. */
    readonly text: string
    /** The most items. */
    readonly limit?: number | undefined
    readonly after?: string | undefined
  }
}

/**
 * Finds the items of a memory that answer a question, the best first; where none does, the places that
 * have it as it stands: of those there may be a `next` without any.
 */
export async function findItems(
  client: Pick<Client, 'searchIn'>,
  { tokenId, text, limit, after }: findItems.Input,
  options: { readonly signal: AbortSignal },
): Promise<FoundInMemory> {
  const search = (from: string | undefined) =>
    client.searchIn(tokenId, text, { limit, each: 'item', after: from }, options)
  const found = await firstMatches(search, { after, requests: mostRequests })
  if (found.statistics !== undefined) return found
  return { ...found, matches: found.matches.toSorted((a, b) => rankOf(a) - rankOf(b)) }
}

/** Returns how well a match has the text that was looked for; the name of a member is the last. */
export function rankOf({ in: where, before, match, after, item }: Match): PhraseRank {
  if (item !== undefined) return item.phrase
  return where === 'name' ? 3 : phraseRank(`${before}${match}${after}`, foldText(match))
}
