import { Failure, type FailureCode, type Failures, type Hex } from '@heirloom/core'
import type { Selectable } from 'kysely'
import type { End, Outcome } from './job.ts'
import type { Database } from './schema.ts'

export type JobRow = Selectable<Database['job']>

/** Writes how a job ended as it is kept. */
export function endToRow(end: End): Pick<JobRow, 'state' | 'outcome' | 'txHash'> {
  if (end.kind === 'done') {
    const { txHash, ...outcome } = end.outcome
    return { state: 'done', txHash, outcome: JSON.stringify(outcome) }
  }
  const { code, facts } = end.failure
  const txHash = 'txHash' in facts ? facts.txHash : null
  return { state: 'failed', txHash, outcome: JSON.stringify({ code, facts }, spellBigint) }
}

/** Reads how a job ended; absent while it has not. */
export function endOf({ state, outcome, txHash }: JobRow): End | undefined {
  if (outcome === null) return undefined
  if (state === 'done') {
    return { kind: 'done', outcome: { ...JSON.parse(outcome), txHash: txHash as Hex } as Outcome }
  }
  const { code, facts } = JSON.parse(outcome, readBigint)
  return { kind: 'failed', failure: new Failure(code as FailureCode, facts as Failures[never]) }
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
