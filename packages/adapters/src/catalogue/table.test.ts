import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import { insertRows } from './catalogue-store.ts'
import { sqliteFullText } from './full-text.ts'
import { createTables, type Database, type TokenChange, tables } from './schema.ts'
import { columnNames, mutableColumns, sqliteTables, type Table, updateOnConflict } from './table.ts'

async function emptyCatalogue() {
  const db = new Kysely<Database>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })
  onTestFinished(() => db.destroy())
  await createTables(db, { name: 'test', syntax: sqliteTables, fullText: sqliteFullText })
  return db
}

type Row = Readonly<Record<string, unknown>>

/** Returns a row with a different value in each column; rows of one seed have the same key. */
function distinctRow({ columns, key }: Table, seed: number): Row {
  const entries = Object.entries(columns).map(([name, { type }], index) => {
    const number = key.includes(name) ? 1000 + index : 1000 * seed + index
    return [name, type === 'bigint' || type === 'integer' ? number : `${name} ${number}`]
  })
  return Object.fromEntries(entries)
}

const store = { placeholder: () => '?' }

const insert = (db: Kysely<Database>, table: string, row: Row, onConflict?: string) =>
  insertRows(store, db, { table, rows: [row], ...(onConflict && { onConflict }) } as never)

const contentOf = async (db: Kysely<Database>, table: string) =>
  (await sql<Row>`SELECT * FROM ${sql.table(table)}`.execute(db)).rows

const all = Object.entries(tables) as readonly [string, Table][]

test.each(all)('table %s stores every column of a row', async (name, table) => {
  const db = await emptyCatalogue()
  await sql`DELETE FROM ${sql.table(name)}`.execute(db)
  const row = distinctRow(table, 1)
  await insert(db, name, row)
  expect(await contentOf(db, name)).toEqual([row])
  expect(Object.keys(row)).toEqual(columnNames(table))
})

test('a token that exists gets its mutable columns from a new row, and no others', async () => {
  const db = await emptyCatalogue()
  const [before, after] = [distinctRow(tables.token, 1), distinctRow(tables.token, 2)]
  await insert(db, 'token', before)
  await insert(db, 'token', after, updateOnConflict(tables.token))
  const changed = mutableColumns(tables.token).map((name) => [name, after[name]])
  expect(await contentOf(db, 'token')).toEqual([{ ...before, ...Object.fromEntries(changed) }])
})

test('the compiler refuses a row without a column, and a change of an immutable column', () => {
  // @ts-expect-error The hash is missing.
  const input: insertRows.Input = { table: 'block', rows: [{ number: 1 }] }
  // @ts-expect-error No event changes the creator.
  const change: TokenChange = { creator: '0x' }
  // @ts-expect-error The table has no such column.
  const row: Database['tag'] = { tag: 'a', tokenID: 1 }
  expect([input, change, row]).toHaveLength(3)
})
