import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readTables } from './read-tables.ts'
import { readSqliteCheckpoints } from './sqlite-checkpoints.ts'
import { decodeBlob, encodeBlob } from './table-text.ts'
import { writeSqliteCheckpoints } from './write-sqlite-checkpoints.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
const file = join(folder, 'checkpoints.sqlite')
afterAll(() => rmSync(folder, { recursive: true }))

const columns = {
  checkpoints:
    'thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB',
  writes:
    'thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB',
}

/** Makes a database by statements, after the tables of the saver unless others are given. */
function make(
  more: string,
  tables = `CREATE TABLE checkpoints (${columns.checkpoints}); CREATE TABLE writes (${columns.writes})`,
) {
  rmSync(file, { force: true })
  const db = new DatabaseSync(file)
  db.exec(`${tables}; ${more}`)
  db.close()
}

test('the bytes of a blob come back, whatever they are', () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc
      .constantFrom(
        '1],[2',
        '1,"z":2',
        ' 1',
        '{"a":1,"a":2}',
        '\uFEFF1',
        '['.repeat(990) + ']'.repeat(990),
      )
      .map((text) => new TextEncoder().encode(text)),
  )
  fc.assert(
    fc.property(bytes, (it) => {
      const encoded = new TextEncoder().encode(encodeBlob(it))
      expect(decodeBlob(encoded)).toEqual(it)
      JSON.parse(`{"a":${new TextDecoder().decode(encoded)}}`)
    }),
  )
})

test('rows come back with their values and types', async () => {
  make(`INSERT INTO checkpoints VALUES ('a', '', '1', NULL, 'json', x'00ff', '{"text": "and no blob"}');
    INSERT INTO writes VALUES ('a', '', '1', 't', 9007199254740993, 'c', NULL, 1.0)`)
  const read = readSqliteCheckpoints(file)
  const { bytes } = await writeSqliteCheckpoints(await readTables(read.file))
  writeFileSync(file, bytes)
  expect(readSqliteCheckpoints(file)).toEqual(read)
  expect(() => readSqliteCheckpoints(file, { thread: 'nope' })).toThrow(/no thread "nope"/)
  const text = new TextDecoder().decode(read.file.bytes)
  expect(text).toContain('"idx":9007199254740993,')
  expect(text).toContain('"value":1.0}')
})

describe('a hostile database', () => {
  test('has views, virtual tables and computed columns that never run', () => {
    const writes = `CREATE TABLE writes (${columns.writes})`
    const endless =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS thread_id FROM n'
    make('', `CREATE VIEW checkpoints AS ${endless}; ${writes}`)
    expect(() => readSqliteCheckpoints(file)).toThrow(/no table checkpoints/)
    make('', `CREATE VIRTUAL TABLE checkpoints USING fts5(thread_id); ${writes}`)
    expect(() => readSqliteCheckpoints(file)).toThrow(/no table checkpoints/)
    const computed = columns.checkpoints.replace(
      'checkpoint BLOB',
      'checkpoint BLOB AS (zeroblob(1000000000))',
    )
    make('', `CREATE TABLE checkpoints (${computed}); ${writes}`)
    expect(() => readSqliteCheckpoints(file)).toThrow(/no column checkpoint\./)
  })

  test('has rows of more than a memory refused before their contents are read', () => {
    make(`INSERT INTO checkpoints VALUES ('a', '', '1', NULL, 'json', zeroblob(67108864), NULL),
      ('b', '', '1', NULL, 'json', zeroblob(10), NULL)`)
    expect(() => readSqliteCheckpoints(file)).toThrow(/more than 67108864 bytes; choose a thread/)
    expect(readSqliteCheckpoints(file, { thread: 'b' }).left).toEqual([])
  })

  test('has other tables, triggers and columns reported', () => {
    make(`CREATE TABLE store (a); ALTER TABLE writes ADD COLUMN task_path TEXT;
      CREATE TRIGGER t AFTER INSERT ON store BEGIN DELETE FROM writes; END`)
    expect(readSqliteCheckpoints(file).left.map(({ what }) => what)).toEqual([
      'the table store',
      'the trigger t',
      'the column task_path of writes',
    ])
  })

  test('that is damaged, or none, is refused', () => {
    make("INSERT INTO checkpoints VALUES ('a', '', '1', NULL, 'json', zeroblob(20000), NULL)")
    const bytes = readFileSync(file)
    // Each overflow page names the next one: now they lead in a circle.
    for (let page = 4; page * 4096 <= bytes.length; page++)
      bytes.writeUInt32BE(4, (page - 1) * 4096)
    writeFileSync(file, bytes)
    expect(() => readSqliteCheckpoints(file)).toThrow(/checkpoints is damaged|cannot read it/)
    writeFileSync(file, 'no database')
    expect(() => readSqliteCheckpoints(file)).toThrow(
      /^The database is invalid: SQLite cannot read it/,
    )
  })
})
