import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqliteDialect } from '../../platform/sql/sqlite-dialect.ts'
import { sqliteFullText } from '../full-text.ts'
import { createTables, type Database } from '../schema.ts'
import { sqliteTables } from '../table.ts'
import { insertTokens, upTo, version } from '../test/counted-market.ts'
import { tokenReader } from './reads.ts'
import { selectTokens } from './select-tokens.ts'

let count = 0
const db = new Kysely<Database>({
  dialect: sqliteDialect(new DatabaseSync(':memory:')),
  log: () => {
    count += 1
  },
})

beforeAll(async () => {
  await createTables(db, { name: 'tokens', syntax: sqliteTables, fullText: sqliteFullText })
  await insertTokens(
    { db, placeholder: () => '?' },
    upTo(150).map((id) => version(id)),
  )
})
afterAll(() => db.destroy())

/** Reads tokens at once, and returns their ids and the number of queries. */
async function readAtOnce(ids: readonly number[]) {
  const [read, before] = [tokenReader(db), count]
  const rows = await Promise.all(ids.map(read))
  return { found: rows.map((it) => it?.id), queries: count - before }
}

test('reads the tokens of one turn in a query for each hundred, each where it is expected', async () => {
  const ids = fc.uniqueArray(fc.integer({ min: -1, max: 200 }), { maxLength: 200, size: 'max' })
  await fc.assert(
    fc.asyncProperty(ids, async (ids) => {
      const { found, queries } = await readAtOnce(ids)
      expect(found).toEqual(ids.map((it) => (it >= 1 && it <= 150 ? it : undefined)))
      expect(queries).toBe(Math.ceil(ids.length / 100))
    }),
  )
})

test('a token that was not there is read again', async () => {
  const read = tokenReader(db)
  expect(await read(160)).toBeUndefined()
  await db
    .insertInto('token')
    .values({ ...version(160), source: 160 })
    .execute()
  expect((await read(160))?.id).toBe(160)
})

test('what is shown of a token is found by indexes alone', async () => {
  const read = selectTokens(db).where('token.id', '=', 7)
  const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT * FROM ${read}`.execute(
    db,
  )
  expect(rows.map(({ detail }) => detail).filter((it) => it.startsWith('SCAN'))).toEqual([])
})
