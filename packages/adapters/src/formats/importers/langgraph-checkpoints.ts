import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/** The savers whose tables are known, with the tables of each in the order of writing. */
export const saverTables = {
  sqlite: ['checkpoints', 'writes'],
  postgres: ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'],
} as const

/** The name of a saver whose tables are known. */
export type SaverName = keyof typeof saverTables

/**
 * Imports the tables of a checkpointer of LangGraph, row by row, as `readSqliteCheckpoints` and
 * `readPostgresCheckpoints` return them. A value of a row is a text, a number, null, or an object
 * with the bytes of a blob: `{"json":…}` where they are JSON, else `{"text":…}` or `{"base64":…}`.
 */
export const langgraphCheckpoints: JsonImporter = {
  noun: 'the tables of a checkpointer of LangGraph',
  file: 'checkpoints.json',
  category: 'memory',
  matches: (value) => {
    const saver = saverOf(value)
    const tables = memberOf(value, 'tables')
    if (saver === undefined || !isJsonObject(tables)) return false
    const known: readonly string[] = saverTables[saver]
    const isKnown = Object.keys(tables).every((name) => known.includes(name))
    return isKnown && Array.isArray(tables.checkpoints) && hasRows(tables)
  },
  describe: (value) => {
    const tables = memberOf(value, 'tables')
    const threads = new Set(listOf(tables, 'checkpoints').map((row) => textOf(row, 'thread_id')))
    const counts = Object.entries(isJsonObject(tables) ? tables : {}).map(([what, rows]) => ({
      what: `rows of ${what}`,
      count: Array.isArray(rows) ? rows.length : 0,
    }))
    return {
      metadata: {},
      taken: [{ what: 'threads', count: threads.size }, ...counts],
      left: [],
    }
  },
}

/** Returns the saver that parsed tables belong to. */
export function saverOf(value: unknown): SaverName | undefined {
  const saver = memberOf(value, 'saver')
  return saver === 'sqlite' || saver === 'postgres' ? saver : undefined
}

const hasRows = (tables: Readonly<Record<string, unknown>>) =>
  Object.values(tables).every((rows) => Array.isArray(rows) && rows.every(isJsonObject))
