import { InMemoryDB } from '@mastra/core/storage'
import { fromJson, toJson } from '../json-values.ts'
import { type Data, unexpectedMemory } from '../state.ts'

/** The tables of the database that are saved. */
const tables = ['threads', 'messages', 'resources', 'observationalMemory', 'workflows'] as const

type Saved = Readonly<Record<string, readonly (readonly [string, unknown])[] | undefined>>

/** Returns a database in memory with the tables of a named memory. @throws `client/unexpected-memory` */
export function databaseIn(data: Data): InMemoryDB {
  const db = new InMemoryDB()
  const saved = savedIn(data)
  for (const table of tables) {
    const rows: Map<string, unknown> = db[table]
    for (const [key, value] of saved[table] ?? []) rows.set(key, fromJson(value))
  }
  return db
}

/** Returns the members of a memory with the tables of a database; the same ones when nothing changed. */
export function withDatabase(data: Data, db: InMemoryDB): Data {
  const rows = tables.map((table) => [table, [...db[table]].map(encodeRow)] as const)
  const mastra = Object.fromEntries(rows.filter(([, all]) => all.length > 0))
  const isSame = JSON.stringify(mastra) === JSON.stringify(data.mastra ?? {})
  return isSame ? data : { ...data, mastra }
}

const encodeRow = ([key, value]: readonly [string, unknown]) => [key, toJson(value)] as const

function savedIn({ mastra = {} }: Data): Saved {
  const isTables = (value: object) =>
    Object.values(value).every((rows) => Array.isArray(rows) && rows.every(Array.isArray))
  if (typeof mastra === 'object' && mastra !== null && isTables(mastra)) return mastra as Saved
  throw unexpectedMemory('its member mastra has no tables')
}
