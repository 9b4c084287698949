import type { DatabaseSync } from 'node:sqlite'

/** The tables of a file with their columns, indexes, triggers and rows. */
export type TableState = {
  readonly columns: ReadonlyMap<string, Column>
  readonly parts: ReadonlyMap<string, Part>
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

type Column = { readonly table: string; readonly text: string; readonly canBeLeftOut: boolean }

/** An index or a trigger. */
type Part = { readonly table: string; readonly text: string; readonly isHarmless: boolean }

type Row = Readonly<Record<string, unknown>>

/** Reads the tables of a file, but for those that record versions. */
export function readTableState(file: DatabaseSync): TableState {
  const read = (query: string) => file.prepare(query).all() as readonly Row[]
  const names = read("SELECT name FROM sqlite_master WHERE type = 'table'")
    .map(({ name }) => String(name))
    .filter((name) => !/_version(_added|_lock)?$/.test(name))
  const columns = names.flatMap((table) =>
    read(`PRAGMA table_info("${table}")`).map(({ cid: _, ...column }): [string, Column] => [
      `the column ${column.name} of ${table}`,
      {
        table,
        text: JSON.stringify(column),
        canBeLeftOut: column.notnull === 0 || column.dflt_value !== null,
      },
    ]),
  )
  const indexes = names.flatMap((table) =>
    read(`PRAGMA index_list("${table}")`).map(({ name, unique }): [string, Part] => [
      `the index ${name} of ${table}`,
      {
        table,
        isHarmless: unique === 0,
        text: JSON.stringify([unique, read(`PRAGMA index_xinfo("${name}")`)]),
      },
    ]),
  )
  const triggers = read("SELECT * FROM sqlite_master WHERE type = 'trigger'").map(
    ({ name, tbl_name: table, sql }): [string, Part] => [
      `the trigger ${name} of ${table}`,
      { table: String(table), text: String(sql), isHarmless: false },
    ],
  )
  return {
    columns: new Map(columns),
    parts: new Map([...indexes, ...triggers]),
    rows: new Map(names.map((name) => [name, read(`SELECT * FROM "${name}"`)])),
  }
}

/**
 * Returns what an older program would stumble over in newer tables: a part of its tables that is
 * gone or is another one, but for an index that only made it faster, a row that is not as it was, and a
 * new part of a table that it writes to which its writes could violate.
 */
export function findChanges(older: TableState, newer: TableState): readonly string[] {
  return [
    ...changedColumns(older, newer),
    ...changedParts(older, newer),
    ...changedRows(older, newer),
  ]
}

function changedColumns(older: TableState, newer: TableState): readonly string[] {
  const lost = [...older.columns]
    .filter(([name, { text }]) => newer.columns.get(name)?.text !== text)
    .map(([name]) => `${name} is gone or changed`)
  const needed = [...newer.columns]
    .filter(([name, { table }]) => older.rows.has(table) && !older.columns.has(name))
    .filter(([, { canBeLeftOut }]) => !canBeLeftOut)
    .map(([name]) => `${name} is new and has no default`)
  return [...lost, ...needed]
}

function changedParts(older: TableState, newer: TableState): readonly string[] {
  const lost = [...older.parts]
    .filter(([name, { text, isHarmless }]) => {
      const found = newer.parts.get(name)
      return found === undefined ? !isHarmless : found.text !== text
    })
    .map(([name]) => `${name} is gone or changed`)
  const binding = [...newer.parts]
    .filter(([name, { table }]) => older.rows.has(table) && !older.parts.has(name))
    .filter(([, { isHarmless }]) => !isHarmless)
    .map(([name]) => `${name} is new and binds older programs`)
  return [...lost, ...binding]
}

function changedRows(older: TableState, newer: TableState): readonly string[] {
  return [...older.rows].flatMap(([table, rows]) => {
    const [first] = rows
    const columns = Object.keys(first ?? {})
    const part = (row: Row) => JSON.stringify(columns.map((name) => row[name]))
    const found = (newer.rows.get(table) ?? []).map(part)
    const isSame = JSON.stringify(found.toSorted()) === JSON.stringify(rows.map(part).toSorted())
    return isSame ? [] : [`the rows of ${table} are changed`]
  })
}
