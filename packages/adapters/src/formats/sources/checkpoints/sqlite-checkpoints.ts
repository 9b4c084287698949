import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { isFailure } from '@heirloom/core'
import type { Omission } from '../../import-report.ts'
import { saverTables } from '../../importers/langgraph-checkpoints.ts'
import { throwMalformed } from '../../source-file.ts'
import type { ReadSource } from '../read-source.ts'
import { saverColumns } from './read-tables.ts'
import {
  encodeRow,
  type Room,
  type Row,
  requireRoom,
  requireThread,
  tablesFile,
} from './table-text.ts'

export declare namespace readSqliteCheckpoints {
  type Options = {
    /** The only thread to read; all when absent. */
    readonly thread?: string | undefined
  }
}

/**
 * Reads the tables of a SQLite checkpointer of LangGraph as a file that `importMemory` takes. Opens
 * the database for reading only; its own code (views, virtual tables, triggers, generated columns)
 * never runs, damage is found first, and lengths are summed before contents are read.
 *
 * @throws `import/malformed`
 */
export function readSqliteCheckpoints(
  path: string,
  { thread }: readSqliteCheckpoints.Options = {},
): ReadSource {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true, allowExtension: false })
    db.exec('PRAGMA trusted_schema=OFF; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; BEGIN')
    return readAll(db, thread)
  } catch (error) {
    if (isFailure(error)) throw error
    const reason = String(Object(error).message)
    return throwMalformed('The database', `SQLite cannot read it (${reason})`, error)
  } finally {
    db?.close()
  }
}

const tables = saverTables.sqlite

function readAll(db: DatabaseSync, thread: string | undefined): ReadSource {
  const left = [...checkSchema(db), ...tables.flatMap((name) => checkColumns(db, name))]
  for (const name of tables) checkPages(db, name)
  const lengths: Room = { taken: 0 }
  for (const name of tables) addLengths(db, { name, thread, room: lengths })
  const room: Room = { taken: 0 }
  const read = tables.map((name) => ({ name, rows: readRows(db, { name, thread, room }) }))
  requireThread(read, thread)
  return tablesFile('sqlite', read, left)
}

type TableName = (typeof tables)[number]

/** Requires ordinary tables; returns what else is in the database. */
function checkSchema(db: DatabaseSync): readonly Omission[] {
  const schema = db.prepare('SELECT type, name, sql FROM sqlite_schema LIMIT 1000').all()
  for (const name of tables) {
    const own = schema.find((it) => it.name === name)
    const isTable = own?.type === 'table' && /^CREATE TABLE/i.test(String(own.sql))
    if (!isTable)
      throwMalformed('The database', `it has no table ${name} of LangGraph's SQLite saver`)
  }
  const others = schema.filter(({ type, name }) => !isOwn(String(type), String(name)))
  return others.map(({ type, name }) => ({
    what: `the ${type} ${String(name).slice(0, 100)}`,
    why: 'it is not one of the checkpointer',
    ...(type === 'table' && { isLoss: true }),
  }))
}

const isOwn = (type: string, name: string) =>
  tables.some((it) => it === name) || (type === 'index' && name.startsWith('sqlite_autoindex_'))

/** Requires the columns of the saver, all of them stored; returns further ones. */
function checkColumns(db: DatabaseSync, table: TableName): readonly Omission[] {
  const columns = db.prepare(`SELECT name, hidden FROM pragma_table_xinfo('${table}')`).all()
  const known: readonly string[] = saverColumns.sqlite[table]
  const stored = columns.filter(({ hidden }) => hidden === 0).map(({ name }) => String(name))
  const missing = known.find((name) => !stored.includes(name))
  if (missing !== undefined) throwMalformed('The database', `${table} has no column ${missing}`)
  return columns
    .map(({ name }) => String(name))
    .filter((name) => !known.includes(name))
    .map((name) => ({
      what: `the column ${name.slice(0, 100)} of ${table}`,
      why: 'the saver has no such column',
      isLoss: true,
    }))
}

/** Follows each page once, because damaged ones could lead in circles. */
function checkPages(db: DatabaseSync, table: TableName): void {
  const found = db
    .prepare(`PRAGMA quick_check(${table})`)
    .all()
    .map((row) => row.quick_check)
  if (found.some((it) => it !== 'ok')) throwMalformed('The database', `${table} is damaged`)
}

type Reading = {
  readonly name: TableName
  readonly thread: string | undefined
  readonly room: Room
}

const nameOf = (column: string) => `"${column}"`

function rowsOf(db: DatabaseSync, { name, thread }: Reading, columns: readonly string[]) {
  const where = thread === undefined ? '' : ' WHERE thread_id = ?'
  const sql = `SELECT ${columns.join(', ')} FROM "${name}"${where} ORDER BY rowid`
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return thread === undefined ? statement.iterate() : statement.iterate(thread)
}

/** Sums what the headers of the rows say, because a few bytes can claim to be a gigabyte. */
function addLengths(db: DatabaseSync, reading: Reading): void {
  const columns = saverColumns.sqlite[reading.name].map((it) => `octet_length("${it}") AS "${it}"`)
  for (const row of rowsOf(db, reading, columns)) {
    const lengths = Object.values(row).map((length) => Number(length ?? 0))
    // Each row takes some bytes by itself, so that rows without contents are bounded too.
    requireRoom(
      reading.room,
      lengths.reduce((sum, length) => sum + length, 64),
    )
  }
}

function readRows(db: DatabaseSync, reading: Reading): readonly string[] {
  const columns = saverColumns.sqlite[reading.name]
  const read: string[] = []
  for (const row of rowsOf(db, reading, columns.map(nameOf))) {
    const values: Row = columns.map((column) => [column, row[column] as SQLOutputValue])
    requireTexts(values)
    read.push(encodeRow(values, reading.room))
  }
  return read
}

/** A text that is not UTF-8 would come back changed. */
function requireTexts(row: Row): void {
  const broken = row.find(([, value]) => typeof value === 'string' && value.includes('\uFFFD'))
  if (broken !== undefined) {
    throwMalformed('The database', `a text of the column ${broken[0]} may not be UTF-8`)
  }
}
