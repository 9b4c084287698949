import { Failure, type FailureCode, type Failures } from '@heirloom/core'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { End, Outcome } from './job.ts'
import type { Database } from '../../job-store/schema.ts'

export type JobRow = Selectable<Database['job']>

/** Writes how a job ended as it is kept. */
export function endToRow(end: End): Pick<JobRow, 'state' | 'outcome' | 'txHash'> {
  if (end.kind === 'done') {
    const { txHash, data: _, ...outcome } = end.outcome
    return { state: 'done', txHash, outcome: JSON.stringify(outcome) }
  }
  const { code, facts } = end.failure
  const txHash = 'txHash' in facts ? facts.txHash : null
  return { state: 'failed', txHash, outcome: JSON.stringify({ code, facts }, spellBigint) }
}

/** Reads how a job ended; absent while it has not. */
export function endOf({ state, data, outcome, txHash }: JobRow): End | undefined {
  if (outcome === null) return undefined
  if (state === 'done') {
    return { kind: 'done', outcome: { ...JSON.parse(outcome), data, txHash } as Outcome }
  }
  const { code, facts } = JSON.parse(outcome, readBigint)
  return { kind: 'failed', failure: new Failure(code as FailureCode, facts as Failures[never]) }
}

/** Writes how the jobs of one transaction ended: all in one state, each with its own outcome. */
export async function writeEnds(
  trx: Transaction<Database>,
  rows: readonly JobRow[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const { state, nonce, txHash } = first
  const lines = rows.map(({ id, key, outcome }) => sql`(${id}, ${key}, ${outcome})`)
  // SQLite and PostgreSQL agree on the names of the columns of a bare list, and on no others.
  type Line = { readonly column1: string; readonly column2: null; readonly column3: null }
  await trx
    .updateTable('job')
    .from(sql<Line>`(VALUES ${sql.join(lines)})`.as('line'))
    .set((it) => ({
      ...{ state, nonce, txHash },
      key: it.ref('line.column2'),
      outcome: it.ref('line.column3'),
    }))
    .whereRef('job.id', '=', 'line.column1')
    .execute()
}

/** Reads the jobs of a slot, in their order. */
export async function jobsOf(
  db: Kysely<Database>,
  { jobs }: { readonly jobs: readonly string[] },
): Promise<readonly JobRow[]> {
  if (jobs.length === 0) return []
  // By nothing but their ids: told the lane as well, SQLite reads all that the lane ever did.
  const rows = await db.selectFrom('job').selectAll().where('id', 'in', jobs).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobs.flatMap((id) => byId.get(id) ?? [])
}

/** Returns how the ended jobs of a list ended. */
export function endsOf(rows: readonly JobRow[]): ReadonlyMap<string, End> {
  return new Map(
    rows.flatMap((row) => {
      const end = endOf(row)
      return end === undefined ? [] : [[row.id, end] as const]
    }),
  )
}

const spellBigint = (_: string, value: unknown) =>
  typeof value === 'bigint' ? { bigint: value.toString() } : value

const readBigint = (_: string, value: { readonly bigint?: string } | null) =>
  typeof value?.bigint === 'string' ? BigInt(value.bigint) : value
