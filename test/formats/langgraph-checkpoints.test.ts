import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportMemory, importMemory } from '@heirloom/adapters/formats'
import {
  type ReadSource,
  readPostgresCheckpoints,
  readSqliteCheckpoints,
  readTables,
  writePostgresCheckpoints,
  writeSqliteCheckpoints,
} from '@heirloom/adapters/formats/sources'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { longestWait } from '../tier.ts'
import { readSteps, saveSteps } from './graph-steps.ts'
import { openSqliteSaver } from './sqlite-saver.ts'

const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))
const at = (name: string) => join(folder, name)
let postgres: Postgres

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
  rmSync(folder, { recursive: true })
})

/** Imports a file, and returns what an export of the memory gives back. */
function passThrough({ file, left }: ReadSource) {
  expect(left).toEqual([])
  const { format, document, report } = importMemory([file], { secrets: 'refuse' })
  expect(format).toBe('langgraph-checkpoints')
  const [restored] = exportMemory(document)
  if (restored === undefined) throw new Error('nothing was exported')
  return { restored, report, document }
}

describe("the tables of LangGraph's SQLite saver", () => {
  test('come back as a database that the saver opens, with every step', async () => {
    const { saver, close } = openSqliteSaver(at('one.sqlite'))
    await saveSteps(saver)
    const { restored, report, document } = passThrough(readSqliteCheckpoints(at('one.sqlite')))
    expect(report).toMatchObject({
      taken: [
        { what: 'threads', count: 2 },
        { what: 'rows of checkpoints', count: 6 },
        { what: 'rows of writes', count: 6 },
      ],
    })
    // Checkpoints are JSON in the memory, not texts of JSON.
    const { data } = JSON.parse(new TextDecoder().decode(document))
    const [row] = data.tables.checkpoints
    expect(row.checkpoint.json.channel_values.notes).toEqual(['ada likes tea, 0'])

    const { bytes } = await writeSqliteCheckpoints(await readTables(restored))
    writeFileSync(at('two.sqlite'), bytes)
    const again = openSqliteSaver(at('two.sqlite'))
    expect(await readSteps(again.saver)).toEqual(await readSteps(saver))
    expect(readSqliteCheckpoints(at('two.sqlite'))).toEqual(readSqliteCheckpoints(at('one.sqlite')))
    close()
    again.close()
  })

  test('can be read for one thread, while a saver writes', async () => {
    const { saver, close } = openSqliteSaver(at('live.sqlite'))
    await saveSteps(saver)
    const { report } = passThrough(readSqliteCheckpoints(at('live.sqlite'), { thread: 'ada' }))
    expect(report.taken).toContainEqual({ what: 'rows of checkpoints', count: 3 })
    close()
  })
})

/**
 * Waits until this test's own connection is the only one. The pool of a saver has ended before its
 * sockets have, and by then nothing listens to them: that PostgreSQL stops would end the process.
 */
async function connectionsClosed(): Promise<void> {
  const count = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
  await vi.waitUntil(async () => (await postgres.run(count))[0] === '1', {
    interval: 20,
    timeout: longestWait,
  })
}

describe("the tables of LangGraph's PostgreSQL saver", () => {
  test('come back into other tables of the saver, with every step', async () => {
    const saver = PostgresSaver.fromConnString(postgres.url.href, { schema: 'one' })
    const again = PostgresSaver.fromConnString(postgres.url.href, { schema: 'two' })
    await saver.setup()
    await again.setup()
    await saveSteps(saver)
    const read = await readPostgresCheckpoints(postgres.url.href, { schema: 'one' })
    const { restored, report } = passThrough(read)
    expect(report.taken).toContainEqual({ what: 'rows of checkpoint_blobs', count: 12 })
    const tables = await readTables(restored)
    await writePostgresCheckpoints(postgres.url.href, tables, { schema: 'two' })
    expect(await readSteps(again)).toEqual(await readSteps(saver))
    expect(await readPostgresCheckpoints(postgres.url.href, { schema: 'two' })).toEqual(read)
    // A second time would double them: refused, and nothing changed.
    const second = writePostgresCheckpoints(postgres.url.href, tables, { schema: 'two' })
    await expect(second).rejects.toMatchObject({ code: 'import/malformed' })
    await saver.end()
    await again.end()
    await connectionsClosed()
  })

  test('that are missing are named', async () => {
    await expect(readPostgresCheckpoints(postgres.url.href, { schema: 'none' })).rejects.toThrow(
      /its schema none has no checkpoints\.thread_id/,
    )
  })
})
