import { DatabaseSync } from 'node:sqlite'
import { isFailure } from '@heirloom/core'
import { Kysely } from 'kysely'
import { sqliteDialect } from '../../platform/sql/sqlite-dialect.ts'
import { handleJobs } from '../../platform/worker.ts'
import type { Database } from '../schema.ts'
import type { Question } from './query-table.ts'
import type { ReaderAnswer, ReaderJob } from './query-worker.ts'
import { sqliteReader } from './sqlite-reader.ts'

/** How long to wait for the worker that writes, in milliseconds; it lets readers in at all times but one. */
const patience = 1000

let opened:
  | { readonly db: Kysely<Database>; readonly ask: ReturnType<typeof sqliteReader> }
  | undefined

function open(path: string) {
  const file = new DatabaseSync(path, { readOnly: true, timeout: patience })
  const db = new Kysely<Database>({ dialect: sqliteDialect(file) })
  return { db, ask: sqliteReader(file, db) }
}

async function answerTo(path: string, { name, input }: Question): Promise<ReaderAnswer> {
  try {
    opened ??= open(path)
    return { kind: 'answered', answer: await opened.ask(name, input) }
  } catch (error) {
    if (isFailure(error)) throw error
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { kind: 'failed', message, errcode }
  }
}

handleJobs<ReaderJob, ReaderAnswer>(async (job) => {
  if (job.kind === 'ask') return { answer: await answerTo(job.path, job.question) }
  await opened?.db.destroy()
  opened = undefined
  return { answer: { kind: 'answered', answer: undefined } }
})
