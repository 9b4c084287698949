import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { hexOf } from '../../../packages/adapters/src/catalogue/table.ts'

/** The tables and columns whose content depends only on the chain, not on the way it was indexed. */
const tables: Readonly<Record<string, string>> = {
  mined: '*',
  event: '*',
  token: '*',
  rental: '*',
  heir: '*',
  income: '*',
  card: '"tokenId", block, digest, state, category, card',
  tag: '*',
}

// SQLite stores the terms of a row only in its index.
const termsInSqlite = 'SELECT doc, term FROM temp.terms'
const termsInPostgres = 'SELECT rowid AS doc, unnest(tsvector_to_array(terms)) AS term FROM search'

/** Reads the content of a closed catalogue, sorted so that two contents can be compared. */
export async function readContent(db: string | URL): Promise<Readonly<Record<string, unknown>>> {
  const read = db instanceof URL ? await fromPostgres(db) : fromSqlite(db)
  const content: Record<string, unknown> = {}
  for (const [table, columns] of Object.entries(tables)) {
    const rows = await read(`SELECT ${columns} FROM ${table}`)
    content[table] = rows.map((row) => JSON.stringify(sorted(row))).sort()
  }
  content.search = (await read(db instanceof URL ? termsInPostgres : termsInSqlite))
    .map((row) => JSON.stringify(sorted(row)))
    .sort()
  return content
}

const sorted = (row: object) =>
  Object.entries(row)
    .map(([name, value]) => [name, value instanceof Uint8Array ? hexOf(value) : value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

type Read = (statement: string) => Promise<readonly object[]>

function fromSqlite(path: string): Read {
  return async (statement) => {
    const file = new DatabaseSync(path, { readOnly: true })
    file.exec('CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, instance)')
    const rows = file.prepare(statement).all()
    file.close()
    return rows
  }
}

async function fromPostgres({ href }: URL): Promise<Read> {
  const types = {
    getTypeParser: (oid: number, format?: unknown) =>
      oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  }
  return async (statement) => {
    const client = new pg.Client({ connectionString: href, types })
    await client.connect()
    const schema = await client.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'heirloom_catalogue_%'`,
    )
    await client.query(`SET search_path TO ${schema.rows[0]?.name}`)
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
}
