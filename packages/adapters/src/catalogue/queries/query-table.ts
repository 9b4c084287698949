import { digest, type TitledToken, type TokenId } from '@heirloom/core'
import { decodeTokenId } from '../projection/stored-event.ts'
import { hexOf } from '../table.ts'
import { readActivity } from './activity.ts'
import { rowIdOf } from './decode-rows.ts'
import { readFacets } from './facets.ts'
import { readHeirOf } from './heirs.ts'
import { readLineage } from './lineage.ts'
import { readHistory, readListings, readRentals, readTokens } from './reads.ts'
import type { QueryContext } from './select-tokens.ts'

/** The queries that may read many rows, and so must not block the event loop. */
export const queryTable = {
  listings: readListings,
  facets: readFacets,
  activity: readActivity,
  tokens: readTokens,
  lineage: readLineage,
  history: readHistory,
  rentals: readRentals,
  heirs: readHeirOf,
  titles: readTitles,
} as const

export type QueryTable = typeof queryTable

/** The input of a query, without its context. */
export type QueryInput<Name extends keyof QueryTable> = Parameters<QueryTable[Name]>[1]

export type QueryResult<Name extends keyof QueryTable> = Awaited<ReturnType<QueryTable[Name]>>

/** A query as it is sent to a worker. */
export type QueryRequest = {
  readonly [Name in keyof QueryTable]: { readonly name: Name; readonly input: QueryInput<Name> }
}[keyof QueryTable]

/** Runs a query by its name. */
export type RunQuery = <Name extends keyof QueryTable>(
  name: Name,
  input: QueryInput<Name>,
) => Promise<QueryResult<Name>>

/** The limit of a query: processor time in SQLite, running time in PostgreSQL; in milliseconds. */
export const queryTimeLimit = 200

/** The time that a caller waits for the result of a query, in milliseconds. */
export const callerTimeLimit = 450

/** Reads the titles of the tokens that show a card. */
async function readTitles(
  { db }: QueryContext,
  { tokenIds }: { readonly tokenIds: readonly TokenId[] },
): Promise<readonly TitledToken[]> {
  // An empty list is no SQL.
  if (tokenIds.length === 0) return []
  const rows = await db
    .selectFrom('token')
    .innerJoin('card', 'card.tokenId', 'token.source')
    .select(['token.id', 'token.digest', 'card.title'])
    .where('token.id', 'in', tokenIds.map(rowIdOf))
    .where('card.title', 'is not', null)
    .execute()
  return rows.map(({ id, digest: stored, title }) => ({
    tokenId: decodeTokenId(id),
    digest: digest(hexOf(stored)),
    title: `${title}`,
  }))
}
