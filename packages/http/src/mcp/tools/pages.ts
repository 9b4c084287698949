import { Type } from '@sinclair/typebox'
import type { Client } from '../../client/client.ts'

type Page = Parameters<Client['history']>[1]

/** Parses the limit of a page: in tools, as in queries of the API, it is a string. */
export function parseLimit<Query extends { readonly limit?: string | undefined }>({
  limit,
  ...query
}: Query) {
  return { ...query, limit: limit === undefined ? undefined : Number(limit) } satisfies Page
}

/** Returns the number of items with their noun: `2 tokens`. */
export const count = (items: readonly unknown[], noun: string): string =>
  `${items.length} ${noun}${items.length === 1 ? '' : 's'}`

/** Describes a page in one line. */
export const summarizePage = (
  { items, next }: { readonly items: readonly unknown[]; readonly next: string | null },
  noun: string,
): string => `${count(items, noun)}${next === null ? '' : '; more follow, read on with `after`'}.`

/** The argument that says where a result goes on. */
export const afterArgument = Type.Optional(
  Type.String({ maxLength: 12_000, description: '`next` of the last result.' }),
)

/** Returns the argument that bounds the items of a result. */
export const limitArgument = (usual: number, most: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Default ${usual}.` }))
