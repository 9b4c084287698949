import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import { sqliteFullText } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { queryTable, queryTimeLimit, type RunQuery } from './query-table.ts'
import type { QueryContext } from './select-tokens.ts'

/** The number of rows that a query reads between two checks of the time. */
const rowsPerCheck = 64

/**
 * Returns a function that runs queries of an SQLite file in this thread, one at a time. Nothing can
 * interrupt SQLite from outside, so a query that may read many rows checks its limits while it runs:
 * the processor time, which does not grow when the machine is busy with other work, and the time
 * until which its caller waits, which is for ever where the caller is this thread.
 */
export function sqliteReader(
  file: DatabaseSync,
  db: Kysely<Database>,
  callerLimit = Number.POSITIVE_INFINITY,
): RunQuery {
  let [rows, processorLimit, deadline] = [0, 0, 0]
  file.function('abort_if_slow', { varargs: true }, () => {
    rows += 1
    if (rows % rowsPerCheck > 0) return 1
    if (processorTime() > processorLimit || performance.now() > deadline) throw tooCostly()
    return 1
  })
  // The first changes with the commits of other connections, the second with those of this one.
  const others = file.prepare('PRAGMA data_version')
  const own = file.prepare('SELECT total_changes() AS changes')
  const context: QueryContext = {
    db,
    fullText: sqliteFullText,
    readStamp: async () => `${others.get()?.data_version} ${own.get()?.changes}`,
    abortIfSlow: (column) => sql`abort_if_slow(${column})`,
    inReadTransaction: (of, work) => of.transaction().execute(work),
  }
  return async (name, input) => {
    processorLimit = processorTime() + queryTimeLimit
    deadline = performance.now() + callerLimit
    return queryTable[name](context, input as never) as never
  }
}

/** Returns the processor time that this thread has used, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the failure of a query that takes too long. */
export function tooCostly(cause?: unknown): Failure<'catalogue/too-costly'> {
  const facts = { milliseconds: queryTimeLimit, retryAfterSeconds: 1 }
  return new Failure('catalogue/too-costly', facts, { cause })
}
