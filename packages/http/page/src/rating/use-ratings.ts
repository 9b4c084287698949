import type { Ratings } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { type Resource, useResource } from '../api/use-resource.ts'

/** The address of the ratings of a token. */
export const ratingsPath = (tokenId: string): string => `/api/memory/${tokenId}/ratings`

/** Loads the newest ratings of a token, and the number of ratings for each score. */
export function useRatings(tokenId: string): Resource<Ratings> {
  const path = ratingsPath(tokenId)
  return useResource(path, (signal) => getJson<Ratings>(path, signal))
}
