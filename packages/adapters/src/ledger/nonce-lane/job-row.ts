import { Failure, type FailureCode, type Failures } from '@heirloom/core'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../../store/schema.ts'
import type { JobResult, Outcome } from './job.ts'

/** A job as the store has it. */
export type JobRow = Selectable<Database['job']>

/** The columns of a job that no transaction carries. */
export const unsigned = { state: 'queued', nonce: null, txHash: null, outcome: null } as const

/** Returns the columns that store the result of a job. */
export function resultToRow(result: JobResult): Pick<JobRow, 'state' | 'outcome' | 'txHash'> {
  if (result.kind === 'done') {
    const { txHash, data: _, ...outcome } = result.outcome
    return { state: 'done', txHash, outcome: JSON.stringify(outcome) }
  }
  const { code, facts } = result.failure
  const txHash = 'txHash' in facts ? facts.txHash : null
  return { state: 'failed', txHash, outcome: JSON.stringify({ code, facts }, encodeBigint) }
}

/** Returns the result of a job; `undefined` until it has ended. */
export function resultOf({ state, data, outcome, txHash }: JobRow): JobResult | undefined {
  if (outcome === null) return undefined
  if (state === 'done') {
    return { kind: 'done', outcome: { ...JSON.parse(outcome), data, txHash } as Outcome }
  }
  const { code, facts } = JSON.parse(outcome, decodeBigint)
  return { kind: 'failed', failure: new Failure(code as FailureCode, facts as Failures[never]) }
}

/** Returns the results of those jobs that have ended, by id. */
export function resultsOf(rows: readonly JobRow[]): ReadonlyMap<string, JobResult> {
  return new Map(
    rows.flatMap((row) => {
      const result = resultOf(row)
      return result === undefined ? [] : [[row.id, result] as const]
    }),
  )
}

/**
 * Writes the ended jobs of one transaction: all in one state, each with its own outcome. A job keeps its
 * key unless it failed, so that its index is not written again.
 */
export async function writeResults(
  trx: Transaction<Database>,
  rows: readonly JobRow[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const { state, nonce, txHash } = first
  const lines = rows.map(({ id, key, outcome }) => sql`(${id}, ${key}, ${outcome})`)
  // SQLite and PostgreSQL agree on these names for the columns of VALUES, and on no others.
  type Line = { readonly column1: string; readonly column2: null; readonly column3: null }
  await trx
    .updateTable('job')
    .from(sql<Line>`(VALUES ${sql.join(lines)})`.as('line'))
    .set((it) => ({
      state,
      nonce,
      txHash,
      outcome: it.ref('line.column3'),
      ...(state === 'failed' && { key: it.ref('line.column2') }),
    }))
    .whereRef('job.id', '=', 'line.column1')
    .execute()
}

/** Returns the jobs of a slot, in their order. */
export async function readJobs(
  db: Kysely<Database>,
  { jobs }: { readonly jobs: readonly string[] },
): Promise<readonly JobRow[]> {
  if (jobs.length === 0) return []
  // The ids alone: with the lane as well, SQLite reads every job that the lane ever had.
  const rows = await db.selectFrom('job').selectAll().where('id', 'in', jobs).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobs.flatMap((id) => byId.get(id) ?? [])
}

const encodeBigint = (_: string, value: unknown) =>
  typeof value === 'bigint' ? { bigint: value.toString() } : value

const decodeBigint = (_: string, value: { readonly bigint?: string } | null) =>
  typeof value?.bigint === 'string' ? BigInt(value.bigint) : value
