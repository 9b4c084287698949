import { badResponse } from './transport/decode-response.ts'

/** A page of matches; one without any may have a `next`, because a request looks at a few MiB. */
type Matches = { readonly matches: readonly unknown[]; readonly next?: string | undefined }

/** The most requests by default: more than the largest memory needs. */
const mostRequests = 1000

/**
 * Goes on with a search inside a memory until there are matches, its end, or so many requests.
 *
 * @throws `client/bad-answer` where the server names a cursor again
 */
export async function firstMatches<Found extends Matches>(
  search: (after: string | undefined) => Promise<Found>,
  { after, requests = mostRequests }: firstMatches.Options = {},
): Promise<Found> {
  const seen = new Set([after])
  let found = await search(after)
  for (let sent = 1; sent < requests; sent++) {
    if (found.matches.length > 0 || found.next === undefined) break
    if (seen.has(found.next)) throw badResponse('it leads back to an earlier one')
    seen.add(found.next)
    found = await search(found.next)
  }
  return found
}

export declare namespace firstMatches {
  type Options = {
    /** The cursor of the next page. */
    readonly after?: string | undefined
    readonly requests?: number
  }
}
