import type { Client } from '../client/client.ts'
import { firstMatches } from '../client/parts.ts'
import type { FoundInMemory } from '../client/responses.ts'

type Match = FoundInMemory['matches'][number]

/** The most requests of one search: each looks at a few MiB. */
const mostRequests = 16

export declare namespace findPlaces {
  type Input = {
    readonly tokenId: string
    readonly text: string
    /** The most places. */
    readonly limit?: number | undefined
    readonly after?: string | undefined
  }
}

/**
 * Finds the next places of a memory that have a text, each once, the best first; there may be a
 * `next` without any.
 */
export async function findPlaces(
  client: Pick<Client, 'searchIn'>,
  { tokenId, text, limit, after }: findPlaces.Input,
  options: { readonly signal: AbortSignal },
): Promise<FoundInMemory> {
  const search = (from: string | undefined) =>
    client.searchIn(tokenId, text, { limit, each: 'place', after: from }, options)
  const found = await firstMatches(search, { after, requests: mostRequests })
  return { ...found, matches: found.matches.toSorted((a, b) => rankOf(a) - rankOf(b)) }
}

/**
 * Returns the rank of a match: 0 for a string that is the text, 1 for one with the text as words, 2
 * for another one, and 3 for the name of a member.
 */
export function rankOf({ in: where, before, after }: Match): number {
  if (where === 'name') return 3
  if (before === '' && after === '') return 0
  return isBoundary(before.at(-1)) && isBoundary(after.at(0)) ? 1 : 2
}

const isBoundary = (character = ' '): boolean => !/[\p{L}\p{N}]/u.test(character)
