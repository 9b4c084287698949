import { randomUUID } from 'node:crypto'
import { Failure, type Idempotency, isFailure } from '@heirloom/core'
import { currentRequest } from '../../platform/request-trace.ts'
import type { LaneId } from '../../store/schema.ts'
import { type Store, storeFailure } from '../../store/store.ts'
import { batchedAddJob } from './add-job.ts'
import type { Callers } from './callers.ts'
import { budgetsToText } from './fees/key-budgets.ts'
import type { Job, LaneOperation, Outcome } from './job.ts'
import { type JobRow, resultOf, unsigned } from './job-row.ts'

/** The queue of a lane's jobs. */
export type JobQueue = {
  /** Adds a job and returns its outcome; a used idempotency key returns that of the first job. */
  execute(job: Job): Promise<Outcome>
  /** Returns the outcome of the job with an idempotency key; `undefined` if there is none. */
  recall(operation: LaneOperation, idempotency: Idempotency): Promise<Outcome | undefined>
}

export declare namespace jobQueue {
  type Options = {
    readonly store: Store
    readonly lane: () => Promise<LaneId>
    readonly callers: Callers
    /** Returns the time, in milliseconds since 1970. */
    readonly now: () => number
    readonly onAdded: () => void
  }
}

/** Opens the job queue of a lane. */
export function jobQueue({ store, lane, callers, now, onAdded }: jobQueue.Options): JobQueue {
  const add = batchedAddJob(store, onAdded)
  const outcomeOf = async (row: JobRow): Promise<Outcome> => {
    const result = resultOf(row) ?? (await callers.wait(row.id))
    if (result.kind === 'failed') throw result.failure
    return result.outcome
  }
  /** Waits for a job of another caller, which may have ended since its row was read. */
  const joinedOutcome = (row: JobRow): Promise<Outcome> => {
    const outcome = outcomeOf(row)
    callers.refresh()
    return outcome
  }
  return {
    execute: async (job) => {
      const newRow = rowOf(job, { lane: await lane(), acceptedAt: now() })
      const row = await add(newRow, job.hold)
      if (row === newRow) return outcomeOf(row)
      requireSame(row, job.operation, job.idempotency)
      return joinedOutcome(row)
    },
    recall: async (operation, idempotency) => {
      const row = await findByKey(store, await lane(), idempotency.key)
      if (row === undefined) return undefined
      requireSame(row, operation, idempotency)
      return joinedOutcome(row)
    },
  }
}

function rowOf(job: Job, { lane, acceptedAt }: Pick<JobRow, 'lane' | 'acceptedAt'>): JobRow {
  const { operation, to, data, value, idempotency, budget, budgets = [] } = job
  const request = currentRequest()
  return {
    id: newId(acceptedAt),
    lane,
    acceptedAt,
    operation,
    to,
    data,
    value: String(value),
    ...unsigned,
    key: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
    requestId: request?.requestId ?? null,
    traceparent: request?.traceparent ?? null,
    budget: budgetsToText(budget === undefined ? budgets : [budget, ...budgets]),
  }
}

/** Returns an id greater than earlier ones, so that the index of a large store grows at its end. */
const newId = (now: number): string => `${now.toString(16).padStart(12, '0')}-${randomUUID()}`

async function findByKey({ db }: Store, lane: LaneId, key: string): Promise<JobRow | undefined> {
  try {
    return await db
      .selectFrom('job')
      .selectAll()
      .where('lane', '=', lane)
      .where('key', '=', key)
      .executeTakeFirst()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw storeFailure(cause)
  }
}

function requireSame(
  { operation, fingerprint }: JobRow,
  requested: LaneOperation,
  idempotency: Idempotency | undefined,
): void {
  if (operation === requested && fingerprint === idempotency?.fingerprint) return
  throw new Failure('idempotency/key-reused', {})
}
