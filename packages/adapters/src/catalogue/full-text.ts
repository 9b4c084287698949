import {
  type Card,
  maxWordLength,
  minSearchWordLength,
  searchedFieldCount,
  wordsByField,
} from '@heirloom/core'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** A search for cards of one rank: all words are in the first `rank` fields. */
export type SearchCondition = {
  readonly words: readonly string[]
  /** The last field that may hold a word, from 1. */
  readonly rank: number
  /** Whether cards of a better rank are excluded. */
  readonly isExact: boolean
}

/**
 * The full-text index of a database, which finds cards by prefixes of their words. Each card is one
 * row of the table `search`. Its rowid is the token that the card was minted with; its terms are a
 * rank and a word that occurs in the fields of that rank or of a better one. The cards of a rank are
 * those that have some terms and lack others. Both databases read them newest first and stop where a
 * page is full.
 */
export type FullText = {
  /** The statements that create the table. */
  readonly tables: readonly string[]
  /** Encodes terms as the table holds them. */
  readonly encodeTerms: (terms: readonly string[]) => RawBuilder<string>
  /** Returns the condition that a row of `search` matches. */
  readonly matches: (condition: SearchCondition) => RawBuilder<SqlBool>
  /** Returns the condition that a column names a matching row, in a query with an order of its own. */
  readonly namesMatch: (
    column: Expression<number>,
    condition: SearchCondition,
  ) => RawBuilder<SqlBool>
}

/** Returns the search terms of a card, and of the format that its memory was imported from. */
export function searchTerms(card: Card, format?: string | null): readonly string[] {
  const fields = wordsByField(card, format ?? undefined)
  const terms = fields.map((_, index) =>
    fields.slice(0, index + 1).flatMap((words) => words.map((word) => `${index + 1}${word}`)),
  )
  return [...new Set(terms.flat())]
}

/** The rank of a card whose words are found in any of the fields. */
export const lastRank = searchedFieldCount

// Each length of a prefix has an index of its own, so a prefix is found as fast as a whole word. One
// character more than the word: the digit of the rank comes first.
const prefixLengths = Array.from(
  { length: maxWordLength - minSearchWordLength + 1 },
  (_, index) => index + minSearchWordLength + 1,
)

/**
 * The full-text index of SQLite (FTS5). Its automatic merges are off: they would block a write for
 * up to a tenth of a second.
 */
export const sqliteFullText: FullText = {
  tables: [
    `CREATE VIRTUAL TABLE search USING fts5 (terms, content = '', contentless_delete = 1,
      detail = none, tokenize = 'ascii', prefix = '${prefixLengths.join(' ')}')`,
    `INSERT INTO search (search, rank) VALUES ('automerge', 0), ('crisismerge', 1999)`,
  ],
  encodeTerms: (terms) => sql`${terms.join(' ')}`,
  matches: (condition) => sql`search MATCH ${fts5Query(condition)}`,
  // The plus keeps SQLite from reading the tokens in the order of these rows and sorting them all.
  namesMatch: (column, condition) =>
    sql`+${column} IN (SELECT rowid FROM search WHERE search MATCH ${fts5Query(condition)})`,
}

/** The statement that merges a few FTS5 segments, quickly enough not to delay a write. */
export const mergeSegments = sql`INSERT INTO search (search, rank) VALUES ('merge', 16)`

/** The full-text index of PostgreSQL, on words that are already split. */
export const postgresFullText: FullText = {
  tables: [
    'CREATE TABLE search (rowid bigint PRIMARY KEY, terms tsvector NOT NULL)',
    'CREATE INDEX search_terms ON search USING gin (terms)',
  ],
  encodeTerms: (terms) => sql`array_to_tsvector(${[...terms]}::text[])`,
  matches: (condition) => sql`search.terms @@ ${tsquery(condition)}::tsquery`,
  namesMatch: (column, condition) =>
    sql`${column} IN (SELECT rowid FROM search WHERE terms @@ ${tsquery(condition)}::tsquery)`,
}

// Words are letters and digits, so they need no escaping inside quotes.

function fts5Query({ words, rank, isExact }: SearchCondition): string {
  const all = (of: number) => `(${words.map((word) => `"${of}${word}" *`).join(' AND ')})`
  return isExact && rank > 1 ? `${all(rank)} NOT ${all(rank - 1)}` : all(rank)
}

function tsquery({ words, rank, isExact }: SearchCondition): string {
  const all = (of: number) => `(${words.map((word) => `'${of}${word}':*`).join(' & ')})`
  return isExact && rank > 1 ? `${all(rank)} & !${all(rank - 1)}` : all(rank)
}
