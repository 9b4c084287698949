import type { Hex } from 'viem'

/** The SQL type of a column; `sortable` is a text that sorts by its bytes. */
export type ColumnType = 'bigint' | 'integer' | 'text' | 'sortable' | 'bytes'

/** A column of a table. */
export type Column<Value> = {
  readonly type: ColumnType
  readonly isNullable: boolean
  /** Whether a later event can change the column of an existing row. */
  readonly isMutable: boolean
  /** The TypeScript type of its values; it exists only in the type. */
  readonly value?: Value
}

type MutableColumn<Value> = Column<Value> & { readonly isMutable: true }

/**
 * A table: its columns in the order in which rows are inserted, and its primary key. Its rows, its
 * SQL and the columns of each insert and update all follow from here.
 */
export type Table = {
  readonly columns: Readonly<Record<string, Column<unknown>>>
  readonly key: readonly string[]
}

/** Returns a table whose key names some of its columns. */
export const table = <const Columns extends Table['columns']>(
  columns: Columns,
  key: readonly (keyof Columns & string)[],
) => ({ columns, key })

type ValueOf<Of> = Of extends Column<infer Value> ? Value : never

/** A row of a table. */
export type RowOf<Of extends Table> = {
  -readonly [Name in keyof Of['columns']]: ValueOf<Of['columns'][Name]>
}

/** The mutable columns of a row. */
export type MutableRowOf<Of extends Table> = {
  -readonly [Name in keyof Of['columns'] as Of['columns'][Name] extends MutableColumn<unknown>
    ? Name
    : never]: ValueOf<Of['columns'][Name]>
}

const columnOf = <Value>(type: ColumnType): Column<Value> => ({
  type,
  isNullable: false,
  isMutable: false,
})

export const bigint = columnOf<number>('bigint')
export const integer = columnOf<number>('integer')
export const text = columnOf<string>('text')
export const sortable = columnOf<string>('sortable')
/** A hash or an account, which as a text of hexadecimal digits would take twice as much. */
export const bytes = columnOf<Uint8Array>('bytes')

/** Returns the bytes of a hash or an account as they are stored. */
export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex')

/** Returns a stored hash or account in hexadecimal digits, in lower case. */
export const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`

/** Returns a column of texts that are among a few. */
export const oneOf = <Value extends string>(): Column<Value> => columnOf<Value>('text')

/** Returns a column that may be null. */
export const nullable = <Value>({ type, isMutable }: Column<Value>): Column<Value | null> => ({
  type,
  isMutable,
  isNullable: true,
})

/** Returns a column that later events can change. */
export const mutable = <Value>(column: Column<Value>): MutableColumn<Value> => ({
  ...column,
  isMutable: true,
})

/** Returns the names of the columns, in the order in which rows are inserted. */
export const columnNames = ({ columns }: Table): readonly string[] => Object.keys(columns)

/** Returns the names of the mutable columns. */
export const mutableColumns = ({ columns }: Table): readonly string[] =>
  Object.entries(columns).flatMap(([name, { isMutable }]) => (isMutable ? [name] : []))

/** Returns the SQL clause of an insert that updates the mutable columns of a row that exists. */
export function updateOnConflict(table: Table): string {
  const sets = mutableColumns(table).map((name) => `${quoted(name)} = excluded.${quoted(name)}`)
  return `ON CONFLICT (${table.key.map(quoted).join(', ')}) DO UPDATE SET ${sets.join(', ')}`
}

/** The syntax of the statements that create tables. */
export type TableSyntax = {
  /** Its type of a column. */
  readonly typeOf: (type: ColumnType) => string
  /** The clause after the columns of a table. */
  readonly suffix: (table: Table) => string
}

/** Returns the statement that creates a table. */
export function createStatement(name: string, table: Table, syntax: TableSyntax): string {
  const lines = Object.entries(table.columns).map(
    ([column, { type, isNullable }]) =>
      `${quoted(column)} ${syntax.typeOf(type)}${isNullable ? '' : ' NOT NULL'}`,
  )
  const primaryKey = `PRIMARY KEY (${table.key.map(quoted).join(', ')})`
  return `CREATE TABLE ${name} (${[...lines, primaryKey].join(', ')}) ${syntax.suffix(table)}`
}

/**
 * The syntax of SQLite, which keeps the rows of each table in the order of its key. It would keep
 * them by a number of its own, beside an index of the key, unless the key is a single `integer` or
 * the table is declared `WITHOUT ROWID`.
 */
export const sqliteTables: TableSyntax = {
  typeOf: (type) => sqliteTypes[type],
  suffix: ({ columns, key }) => {
    const isNumber = key.length === 1 && key.every((name) => isInteger(columns[name]))
    return isNumber ? '' : 'WITHOUT ROWID'
  },
}

/** The syntax of PostgreSQL. */
export const postgresTables: TableSyntax = {
  typeOf: (type) => ({ sortable: 'text COLLATE "C"', bytes: 'bytea' })[type as string] ?? type,
  suffix: () => '',
}

const sqliteTypes: Readonly<Record<ColumnType, string>> = {
  bigint: 'integer',
  integer: 'integer',
  text: 'text',
  sortable: 'text',
  bytes: 'blob',
}

const isInteger = (column?: Column<unknown>): boolean =>
  column !== undefined && sqliteTypes[column.type] === 'integer'

const quoted = (name: string): string => `"${name}"`
