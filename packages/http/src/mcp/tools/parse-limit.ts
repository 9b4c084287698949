import type { Client } from '../../client/client.ts'

type Page = Parameters<Client['history']>[1]

/** Parses the limit of a page: in tools, as in queries of the API, it is a string. */
export function parseLimit<Query extends { readonly limit?: string | undefined }>({
  limit,
  ...query
}: Query) {
  return { ...query, limit: limit === undefined ? undefined : Number(limit) } satisfies Page
}
