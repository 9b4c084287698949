/** A page of matches; one without any may have a `next`, because a request looks at a few MiB. */
type Matches = { readonly matches: readonly unknown[]; readonly next?: string | undefined }

/** Goes on with a search inside a memory until there are matches, its end, or so many requests. */
export async function firstMatches<Found extends Matches>(
  search: (after: string | undefined) => Promise<Found>,
  { after, requests = Number.POSITIVE_INFINITY }: firstMatches.Options = {},
): Promise<Found> {
  let found = await search(after)
  for (let sent = 1; sent < requests; sent++) {
    if (found.matches.length > 0 || found.next === undefined) break
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
