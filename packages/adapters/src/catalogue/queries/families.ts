import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../schema.ts'

const it = expressionBuilder<Database, 'token'>()

// A family is a memory, its versions by its maker, and the licensed forks of all these, as far as
// their cards have one title.

/** The title of the card that a token shows; empty without one. */
export const cardTitle = titleOf('token.source')

function titleOf(source: 'token.source' | 'head.source'): RawBuilder<string> {
  return sql`COALESCE((SELECT title FROM card WHERE card."tokenId" = ${sql.ref(source)}), '')`
}

/** Returns the condition that a token is of the family of the token `head`. */
export const isOfFamilyOfHead = sql<SqlBool>`token.family = head.family AND ${cardTitle} = ${titleOf('head.source')}`

/** Returns the condition that a token is of the family of the token with a row id. */
export function isOfFamily(id: number): Expression<SqlBool> {
  const head = sql`FROM token AS head WHERE head.id = ${id}`
  return it.and([
    sql<SqlBool>`token.family = (SELECT head.family ${head})`,
    sql<SqlBool>`${cardTitle} = (SELECT ${titleOf('head.source')} ${head})`,
  ])
}

/** Whether a token is a version and no fork of one. */
export const isVersion = sql<SqlBool>`token.id = token.source`

/**
 * The rank of a token in its family: a version that its first owner still has, another version, a fork.
 * Who bought a version stands for the memory only where its maker offers none.
 */
export const rankInFamily = sql<number>`CASE
  WHEN ${isVersion} AND token.owner = token.keeper THEN 0
  WHEN ${isVersion} THEN 1 ELSE 2 END`

/** Counts the versions among rows. */
export const countVersions = sql<number | string>`SUM(CASE WHEN ${isVersion} THEN 1 ELSE 0 END)`
