import {
  type Card,
  maxWordLength,
  minSearchWordLength,
  searchedFieldCount,
  wordsByField,
} from '@heirloom/core'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Which cards are meant: all words are in the first fields, and not all in still fewer of them. */
export type Found = {
  readonly words: readonly string[]
  /** The last field in which a word may be, from 1. */
  readonly rank: number
  /** Whether cards of a better rank are left out. */
  readonly isExact: boolean
}

/**
 * How a database finds cards by the beginnings of their words. Each card is one row of the table
 * `search`, named after the token that it was minted with, and holds terms: a rank and a word that
 * is in the fields of that rank or of a better one. So the cards of a rank are those that have some
 * terms and lack others, which both databases read newest first, and stop where a page is full.
 */
export type FullText = {
  /** The statements that make the table. */
  readonly tables: readonly string[]
  /** Returns terms as a row holds them. */
  readonly row: (terms: readonly string[]) => RawBuilder<string>
  /** Returns the condition on a row of `search`. */
  readonly matches: (found: Found) => RawBuilder<SqlBool>
  /** Returns the condition that a column names such a row, where something else sets the order. */
  readonly isAmong: (column: Expression<number>, found: Found) => RawBuilder<SqlBool>
}

/** Returns the terms of a card. */
export function termsOf(card: Card): readonly string[] {
  const fields = wordsByField(card)
  const terms = fields.map((_, index) =>
    fields.slice(0, index + 1).flatMap((words) => words.map((word) => `${index + 1}${word}`)),
  )
  return [...new Set(terms.flat())]
}

/** The rank of a card in which all words are found somewhere. */
export const lastRank = searchedFieldCount

// Every beginning that can be searched for has an index of its own, so that it is read from that as
// fast as a whole word. The digit of the rank comes before each.
const beginnings = Array.from(
  { length: maxWordLength - minSearchWordLength + 1 },
  (_, index) => index + minSearchWordLength + 1,
)

/** FTS5 of SQLite. It would merge its segments within writes, for a tenth of a second at times. */
export const sqliteFullText: FullText = {
  tables: [
    `CREATE VIRTUAL TABLE search USING fts5 (terms, content = '', contentless_delete = 1,
      detail = none, tokenize = 'ascii', prefix = '${beginnings.join(' ')}')`,
    `INSERT INTO search (search, rank) VALUES ('automerge', 0), ('crisismerge', 1999)`,
  ],
  row: (terms) => sql`${terms.join(' ')}`,
  matches: (found) => sql`search MATCH ${inFts5(found)}`,
  // The plus keeps SQLite from reading the tokens in the order of these rows, and sorting them all.
  isAmong: (column, found) =>
    sql`+${column} IN (SELECT rowid FROM search WHERE search MATCH ${inFts5(found)})`,
}

/** Merges some segments of FTS5, so little that nobody waits for it. */
export const tidying = sql`INSERT INTO search (search, rank) VALUES ('merge', 16)`

/** The full text search of PostgreSQL, given words that are cut already. */
export const postgresFullText: FullText = {
  tables: [
    'CREATE TABLE search (rowid bigint PRIMARY KEY, terms tsvector NOT NULL)',
    'CREATE INDEX search_terms ON search USING gin (terms)',
  ],
  row: (terms) => sql`array_to_tsvector(${[...terms]}::text[])`,
  matches: (found) => sql`search.terms @@ ${inTsquery(found)}::tsquery`,
  isAmong: (column, found) =>
    sql`${column} IN (SELECT rowid FROM search WHERE terms @@ ${inTsquery(found)}::tsquery)`,
}

// Words are letters and digits, so nothing in them could end a quoted one.

function inFts5({ words, rank, isExact }: Found): string {
  const all = (of: number) => `(${words.map((word) => `"${of}${word}" *`).join(' AND ')})`
  return isExact && rank > 1 ? `${all(rank)} NOT ${all(rank - 1)}` : all(rank)
}

function inTsquery({ words, rank, isExact }: Found): string {
  const all = (of: number) => `(${words.map((word) => `'${of}${word}':*`).join(' & ')})`
  return isExact && rank > 1 ? `${all(rank)} & !${all(rank - 1)}` : all(rank)
}
