import { useEffect, useRef } from 'preact/hooks'
import type { Ratings } from '../../../src/client/responses.ts'
import { addressOf, getJson } from '../api/get-json.ts'
import { type Resource, useResource } from '../api/use-resource.ts'

/** The time between reads while the page is visible, in milliseconds: the event stream has no ratings. */
const interval = 30_000

/** The address of the ratings of a token. */
export const ratingsPath = (tokenId: string): string => addressOf('ratings', { tokenId })

/** Loads the newest ratings of a token, and the number of ratings for each score. */
export function useRatings(tokenId: string): Resource<Ratings> {
  const path = ratingsPath(tokenId)
  const last = useRef<Ratings | undefined>(undefined)
  const ratings = useResource(path, async (signal) => {
    const read = await getJson<Ratings>(path, signal)
    // The same ratings are the same value, so that earlier ones that were loaded stay.
    if (JSON.stringify(read) !== JSON.stringify(last.current)) last.current = read
    return last.current ?? read
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') ratings.reload()
    }, interval)
    return () => clearInterval(timer)
  }, [path])
  return ratings
}
