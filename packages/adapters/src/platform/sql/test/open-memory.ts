import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from '../sqlite-dialect.ts'
import type { AnyDatabase } from './thing-tables.ts'

/** Opens an empty database in memory, and the file that it is in. */
export function openMemory(): { readonly file: DatabaseSync; readonly db: AnyDatabase } {
  const file = new DatabaseSync(':memory:')
  return { file, db: new Kysely<unknown>({ dialect: sqliteDialect(file) }) }
}
