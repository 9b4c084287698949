import { randomUUID } from 'node:crypto'
import { Failure, type Idempotency, isFailure } from '@heirloom/core'
import { currentRequest } from '../../platform/request-trace.ts'
import type { LaneId } from '../../store/schema.ts'
import { type Store, storeFailure } from '../../store/store.ts'
import { type AddJob, batchedAddJob } from './add-job.ts'
import type { Callers } from './callers.ts'
import { budgetsToText } from './fees/key-budgets.ts'
import type { Inbox } from './inbox.ts'
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
    /** Takes the jobs that the leader stores; absent where another process may lead. */
    readonly inbox: Inbox | undefined
    /** Returns the time, in milliseconds since 1970. */
    readonly now: () => number
    readonly onAdded: () => void
  }
}

/** Opens the job queue of a lane. */
export function jobQueue(options: jobQueue.Options): JobQueue {
  const { store, lane, callers, now } = options
  const accepted = acceptedJobs(options)
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
      try {
        const row = await accepted.accept(newRow, job.hold)
        if (row === newRow) return await outcomeOf(row)
        requireSame(row, job.operation, job.idempotency)
        return await joinedOutcome(row)
      } finally {
        accepted.end(newRow)
      }
    },
    recall: async (operation, idempotency) => {
      const { key } = idempotency
      const row = await (accepted.find(key) ?? findByKey(store, await lane(), key))
      if (row === undefined) return undefined
      requireSame(row, operation, idempotency)
      return joinedOutcome(row)
    },
  }
}

/**
 * Accepts jobs, of each key one until `end`: into the inbox where there is one, unless they decide a hold.
 * What is not stored yet is found by its key here.
 */
function acceptedJobs({ store, inbox, onAdded }: jobQueue.Options) {
  const add = batchedAddJob(store, () => {
    if (inbox) inbox.mayBeStored = true
    onAdded()
  })
  const acceptOne: AddJob = async (row, hold) => {
    if (inbox === undefined || hold !== undefined) return add(row, hold)
    const stored = row.key === null ? undefined : await findByKey(store, row.lane, row.key)
    if (stored !== undefined) return stored
    inbox.add(row)
    onAdded()
    return row
  }
  const byKey = new Map<string, { readonly first: JobRow; readonly accepted: Promise<JobRow> }>()
  const accept: AddJob = (row, hold) => {
    const earlier = row.key === null ? undefined : byKey.get(row.key)
    if (earlier !== undefined) return earlier.accepted
    const accepted = acceptOne(row, hold)
    if (row.key !== null) byKey.set(row.key, { first: row, accepted })
    return accepted
  }
  return {
    accept,
    find: (key: string) => byKey.get(key)?.accepted,
    end: ({ id, key }: JobRow) => {
      if (key !== null && byKey.get(key)?.first.id === id) byKey.delete(key)
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
