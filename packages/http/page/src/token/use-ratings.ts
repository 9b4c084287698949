import { useRef } from 'preact/hooks'
import type { Ratings } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { type Resource, useInterval, useResource } from '../api/use-resource.ts'

/** The time between reads while the page is visible, in milliseconds: the event stream has no ratings. */
const interval = 30_000

/** Loads the newest ratings of a token, and the number of ratings for each score. */
export function useRatings(tokenId: string): Resource<Ratings> {
  const last = useRef<Ratings | undefined>(undefined)
  const ratings = useResource(tokenId, async (signal) => {
    const read = await readNow('ratings', { tokenId }, { signal })
    // The same ratings are the same value, so that earlier ones that were loaded stay.
    if (JSON.stringify(read) !== JSON.stringify(last.current)) last.current = read
    return last.current ?? read
  })
  useInterval(() => document.visibilityState === 'visible' && ratings.reload(), interval)
  return ratings
}
