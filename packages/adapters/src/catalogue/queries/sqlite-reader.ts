import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import type { Asked } from './filters.ts'
import { sqliteFullText } from '../full-text.ts'
import { type Ask, longestAnswer, longestInAll, questions } from './query-table.ts'
import type { Database } from '../schema.ts'

/** How many rows a question looks at between two looks at the clock. */
const rowsBetween = 64

/**
 * Answers questions from a file of SQLite, in this thread. Nothing can interrupt SQLite from
 * outside, so a question itself looks at the clock: at the processor's time, for a machine that is
 * busy with other things makes no question costly, and whether anybody still waits for the answer.
 */
export function sqliteReader(file: DatabaseSync, db: Kysely<Database>): Ask {
  let [looked, end, overdue] = [0, 0, 0]
  file.function('is_in_time', { varargs: true }, () => {
    looked += 1
    if (looked % rowsBetween > 0) return 1
    if (spent() > end || performance.now() > overdue) throw tooCostly()
    return 1
  })
  const asked: Asked = {
    ...{ db, fullText: sqliteFullText },
    isInTime: (column) => sql`is_in_time(${column})`,
    inOneState: (of, work) => of.transaction().execute(work),
  }
  return async (name, input) => {
    end = spent() + longestAnswer
    overdue = performance.now() + longestInAll
    return questions[name](asked, input as never) as never
  }
}

/** Returns the processor's time that this thread has taken, in milliseconds. */
function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the failure of a question that takes too long. */
export function tooCostly(cause?: unknown): Failure<'catalogue/too-costly'> {
  const facts = { milliseconds: longestAnswer, retryAfterSeconds: 1 }
  return new Failure('catalogue/too-costly', facts, { cause })
}
