import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import { sqliteFullText } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { callerTimeLimit, queryTable, queryTimeLimit, type RunQuery } from './query-table.ts'
import type { QueryContext } from './select-tokens.ts'

/** The number of rows that a query reads between two checks of the time. */
const rowsPerCheck = 64

/**
 * Runs queries of an SQLite file on the current event loop. Nothing can interrupt SQLite from
 * outside, so each query itself checks its limits: the processor time, which does not grow when the
 * machine is busy with other work, and the time until which its caller waits.
 */
export function sqliteReader(file: DatabaseSync, db: Kysely<Database>): RunQuery {
  let [rows, processorLimit, deadline] = [0, 0, 0]
  file.function('is_in_time', { varargs: true }, () => {
    rows += 1
    if (rows % rowsPerCheck > 0) return 1
    if (processorTime() > processorLimit || performance.now() > deadline) throw tooCostly()
    return 1
  })
  const context: QueryContext = {
    ...{ db, fullText: sqliteFullText },
    isInTime: (column) => sql`is_in_time(${column})`,
    inReadTransaction: (of, work) => of.transaction().execute(work),
  }
  return async (name, input) => {
    processorLimit = processorTime() + queryTimeLimit
    deadline = performance.now() + callerTimeLimit
    return queryTable[name](context, input as never) as never
  }
}

/** Returns the processor time that the current event loop has used, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the failure of a query that takes too long. */
export function tooCostly(cause?: unknown): Failure<'catalogue/too-costly'> {
  const facts = { milliseconds: queryTimeLimit, retryAfterSeconds: 1 }
  return new Failure('catalogue/too-costly', facts, { cause })
}
