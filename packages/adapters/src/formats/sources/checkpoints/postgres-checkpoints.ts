import { isFailure } from '@heirloom/core'
import pg from 'pg'
import type { Omission } from '../../import-report.ts'
import { throwMalformed } from '../../source-file.ts'
import { type ReadSource, unreachable } from '../read-source.ts'
import type { Tables } from './read-tables.ts'
import { optionalColumns, saverColumns } from './read-tables.ts'
import {
  encodeRow,
  type Room,
  type Row,
  requireRoom,
  requireThread,
  type Table,
  tablesFile,
  type Value,
} from './table-text.ts'

export declare namespace readPostgresCheckpoints {
  type Options = {
    /** The only thread to read; all when absent. */
    readonly thread?: string | undefined
    /** The schema of the tables; `public` when absent. */
    readonly schema?: string | undefined
  }
}

/**
 * Reads the tables of a PostgreSQL checkpointer of LangGraph as a file that `importMemory` takes, in
 * one transaction that only reads, so that the rows belong together while a graph writes.
 *
 * @throws `import/malformed`
 */
export async function readPostgresCheckpoints(
  url: string,
  options: readPostgresCheckpoints.Options = {},
): Promise<ReadSource> {
  return withClient(url, async (client) => {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const readings: Reading[] = []
    for (const name of tableNames) readings.push(await describeTable(client, { name, ...options }))
    const lengths: Room = { taken: 0 }
    for (const reading of readings) await addLengths(client, reading, lengths)
    const room: Room = { taken: 0 }
    const tables: Table[] = []
    for (const reading of readings) {
      tables.push({ name: reading.name, rows: await readRows(client, reading, room) })
    }
    requireThread(tables, options.thread)
    const left = readings.flatMap((reading) => reading.left)
    return tablesFile('postgres', tables, left)
  })
}

/** The longest wait for a connection, and for one answer, in milliseconds. */
const patience = { connect: 10_000, answer: 60_000 }

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience.connect,
    query_timeout: patience.answer,
    statement_timeout: patience.answer,
  })
  // A connection that breaks rejects the query that waits; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await connect(client)
    return await use(client)
  } catch (error) {
    if (isFailure(error)) throw error
    const reason = String(Object(error).message)
    return throwMalformed('The database', `PostgreSQL refuses it (${reason})`, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Connects; an error that is not PostgreSQL's own means that there is none. */
async function connect(client: pg.Client): Promise<void> {
  await client.connect().catch((error: unknown) => {
    throw error instanceof pg.DatabaseError ? error : unreachable('The database', error)
  })
}

const tableNames = ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] as const

type TableName = (typeof tableNames)[number]
type Given = { readonly name: TableName } & readPostgresCheckpoints.Options

/** A table of a saver: what to read of it. */
type Reading = Given & {
  readonly from: string
  readonly columns: readonly { readonly name: string; readonly isJson: boolean }[]
  readonly left: readonly Omission[]
}

async function describeTable(client: pg.Client, given: Given): Promise<Reading> {
  const { name, schema = 'public' } = given
  const { rows } = await client.query<{ column_name: string; data_type: string }>(
    'SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
    [schema, name],
  )
  const known: readonly string[] = saverColumns.postgres[name]
  const types = new Map(rows.map((row) => [row.column_name, row.data_type]))
  const missing = known.find((column) => !types.has(column) && !optionalColumns.includes(column))
  if (missing !== undefined) {
    throwMalformed(
      'The database',
      `its schema ${schema} has no ${name}.${missing} of LangGraph's PostgreSQL saver`,
    )
  }
  const columns = known
    .filter((column) => types.has(column))
    .map((column) => ({ name: column, isJson: types.get(column) === 'jsonb' }))
  const others = [...types.keys()].filter((column) => !known.includes(column))
  return {
    ...given,
    from: `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
    columns,
    left: others.map((column) => ({
      what: `the column ${column} of ${name}`,
      why: 'the saver has no such column',
      isLoss: true,
    })),
  }
}

const filterOf = ({ thread }: Reading) =>
  thread === undefined
    ? { where: '', values: [] }
    : { where: ' WHERE thread_id = $1', values: [thread] }

/** Sums the lengths before contents are sent. */
async function addLengths(client: pg.Client, reading: Reading, room: Room): Promise<void> {
  const { where, values } = filterOf(reading)
  const lengths = reading.columns.map(({ name }) => `coalesce(octet_length("${name}"::text), 0)`)
  const sql = `SELECT coalesce(sum(${lengths.join(' + ')} + 64), 0)::text AS sum FROM ${reading.from}${where}`
  const { rows } = await client.query<{ sum: string }>(sql, values)
  // A blob as text has two digits for a byte.
  requireRoom(room, Math.ceil(Number(rows[0]?.sum ?? 0) / 2))
}

/** The number of rows of one answer. */
const atOnce = 100

async function readRows(
  client: pg.Client,
  reading: Reading,
  room: Room,
): Promise<readonly string[]> {
  const { columns, from, name } = reading
  const { where, values } = filterOf(reading)
  const selected = columns.map((column) => `"${column.name}"${column.isJson ? '::text' : ''}`)
  const order = columns
    .filter((column) => !contents.includes(column.name))
    .map((column) => `"${column.name}"`)
  const sql = `SELECT ${selected.join(', ')} FROM ${from}${where} ORDER BY ${order.join(', ')}`
  await client.query(`DECLARE "${name}" NO SCROLL CURSOR FOR ${sql}`, values)
  const read: string[] = []
  for (;;) {
    const query = { text: `FETCH ${atOnce} FROM "${name}"`, rowMode: 'array' as const }
    const { rows } = await client.query<unknown[]>(query)
    for (const row of rows) read.push(encodeRow(rowOf(columns, row), room))
    if (rows.length < atOnce) return read
  }
}

const contents = ['checkpoint', 'metadata', 'blob']

function rowOf(columns: Reading['columns'], row: readonly unknown[]): Row {
  return columns.map(({ name, isJson }, nth) => [name, cellValue(row[nth], isJson)])
}

function cellValue(value: unknown, isJson: boolean): Value {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return value
  if (typeof value === 'number') return BigInt(value)
  return isJson ? new TextEncoder().encode(String(value)) : String(value)
}

/**
 * Writes tables into a database whose tables the saver has made (`setup()`), all or nothing.
 *
 * @throws `import/malformed` when there is such a checkpoint already, or the database has no tables
 */
export async function writePostgresCheckpoints(
  url: string,
  { rows }: Tables,
  { schema }: Pick<readPostgresCheckpoints.Options, 'schema'> = {},
): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN')
    for (const name of tableNames) {
      const reading = await describeTable(client, { name, schema })
      for (const row of rows.get(name) ?? []) await insertRow(client, reading, row)
    }
    await client.query('COMMIT')
  })
}

async function insertRow(client: pg.Client, { name, from, columns }: Reading, row: Row) {
  const types = new Map(columns.map((column) => [column.name, column.isJson]))
  const other = row.find(([column]) => !types.has(column))
  if (other !== undefined) throwMalformed('The database', `its ${name} has no column ${other[0]}`)
  const marks = row.map(([column], nth) => `$${nth + 1}${types.get(column) ? '::jsonb' : ''}`)
  const values = row.map(([column, value]) =>
    types.get(column) ? textOf(value) : parameterOf(value),
  )
  const names = row.map(([column]) => `"${column}"`)
  await client.query(
    `INSERT INTO ${from} (${names.join(', ')}) VALUES (${marks.join(', ')})`,
    values,
  )
}

const textOf = (value: Value) =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : value

const parameterOf = (value: Value) => {
  if (value instanceof Uint8Array) return Buffer.from(value)
  return typeof value === 'bigint' ? value.toString() : value
}
