import { DatabaseSync } from 'node:sqlite'
import { isFailure } from '@heirloom/core'
import { Kysely } from 'kysely'
import { sqliteDialect } from '../../platform/sql/sqlite-dialect.ts'
import { handleJobs } from '../../platform/worker.ts'
import type { Database } from '../schema.ts'
import { callerTimeLimit, type QueryRequest } from './query-table.ts'
import type { QueryJob, QueryReply } from './query-worker.ts'
import { sqliteReader } from './sqlite-reader.ts'

/** The time limit for a lock of the writer, in milliseconds; the writer excludes readers only briefly. */
const lockTimeout = 1000

let opened:
  | { readonly db: Kysely<Database>; readonly runQuery: ReturnType<typeof sqliteReader> }
  | undefined

function open(path: string) {
  const file = new DatabaseSync(path, { readOnly: true, timeout: lockTimeout })
  const db = new Kysely<Database>({ dialect: sqliteDialect(file) })
  return { db, runQuery: sqliteReader(file, db, callerTimeLimit) }
}

async function run(path: string, { name, input }: QueryRequest): Promise<QueryReply> {
  try {
    opened ??= open(path)
    return { kind: 'answered', answer: await opened.runQuery(name, input) }
  } catch (error) {
    if (isFailure(error)) throw error
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { kind: 'failed', message, errcode }
  }
}

handleJobs<QueryJob, QueryReply>(async (job) => {
  if (job.kind === 'ask') return { answer: await run(job.path, job.query) }
  await opened?.db.destroy()
  opened = undefined
  return { answer: { kind: 'answered', answer: undefined } }
})
