import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type SourceFile, throwMalformed } from '../../source-file.ts'
import type { Tables } from './read-tables.ts'
import { saverColumns } from './read-tables.ts'
import type { Row } from './table-text.ts'

/** The tables of LangGraph's SQLite savers. */
const schema = `
  CREATE TABLE checkpoints (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
    parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
  CREATE TABLE writes (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
    task_id TEXT NOT NULL, idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));`

/**
 * Writes tables as a database that a SQLite checkpointer of LangGraph opens: the same rows in the
 * same order, in a file of its own.
 *
 * @throws `import/malformed` when a row is none of these tables
 */
export async function writeSqliteCheckpoints({ rows }: Tables): Promise<SourceFile> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-'))
  try {
    const file = join(folder, 'checkpoints.sqlite')
    fill(file, rows)
    return { path: 'checkpoints.sqlite', bytes: await readFile(file) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function fill(file: string, rows: Tables['rows']): void {
  const db = new DatabaseSync(file)
  try {
    db.exec(`${schema} BEGIN;`)
    for (const [table, all] of rows) insertAll(db, table, all)
    db.exec('COMMIT')
  } catch (error) {
    throwMalformed('The memory', `SQLite refuses a row (${String(Object(error).message)})`, error)
  } finally {
    db.close()
  }
}

function insertAll(db: DatabaseSync, table: string, rows: readonly Row[]): void {
  const known: readonly string[] = saverColumns.sqlite[table as 'checkpoints' | 'writes']
  for (const row of rows) {
    const columns = row.map(([column]) => column)
    const other = columns.find((column) => !known.includes(column))
    if (other !== undefined) throw new Error(`${table} has no column ${other}`)
    const marks = columns.map(() => '?').join(', ')
    const insert = db.prepare(`INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${marks})`)
    insert.run(...row.map(([, value]) => value))
  }
}
