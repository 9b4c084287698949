import { randomUUID } from 'node:crypto'
import { Failure, type Idempotency, isFailure, type LedgerWrite } from '@heirloom/core'
import { adding } from './add-job.ts'
import { budgetToText } from './key-budgets.ts'
import type { Job, Outcome } from './job.ts'
import { endOf, type JobRow } from './job-row.ts'
import type { LaneId } from '../../job-store/schema.ts'
import type { Store } from '../../job-store/job-store.ts'
import type { Waiting } from './callers.ts'

/** Takes jobs for a lane and returns what they gave. */
export type Queue = {
  /** Returns what the job gave; one with a key that was used gives what the first one gave. */
  submit(job: Job): Promise<Outcome>
  /** Returns what the job under a key gave; `undefined` when there is none. */
  recall(operation: LedgerWrite, idempotency: Idempotency): Promise<Outcome | undefined>
}

export declare namespace queue {
  type Options = {
    readonly store: Store
    readonly lane: () => Promise<LaneId>
    readonly waiting: Waiting
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** Is called after jobs were added. */
    readonly onAdded: () => void
  }
}

/** Opens the queue of a lane. */
export function queue({ store, lane, waiting, now, onAdded }: queue.Options): Queue {
  const add = adding(store, onAdded)
  const ended = async (row: JobRow): Promise<Outcome> => {
    const end = endOf(row) ?? (await waiting.for(row.id))
    if (end.kind === 'failed') throw end.failure
    return end.outcome
  }
  /** Waits for a job of another caller, which may have ended since its row was read. */
  const joined = (row: JobRow): Promise<Outcome> => {
    const outcome = ended(row)
    waiting.look()
    return outcome
  }
  return {
    submit: async (job) => {
      const mine = rowOf(job, { lane: await lane(), acceptedAt: now() })
      const row = await add(mine)
      if (row === mine) return ended(row)
      requireSame(row, job.operation, job.idempotency)
      return joined(row)
    },
    recall: async (operation, idempotency) => {
      const row = await underKey(store, await lane(), idempotency.key)
      if (row === undefined) return undefined
      requireSame(row, operation, idempotency)
      return joined(row)
    },
  }
}

function rowOf(job: Job, place: Pick<JobRow, 'lane' | 'acceptedAt'>): JobRow {
  const { operation, to, data, value, idempotency, budget } = job
  return {
    ...{
      ...place,
      id: idAt(place.acceptedAt),
      operation,
      to,
      data,
      value: String(value),
      state: 'queued',
    },
    ...{ nonce: null, txHash: null, outcome: null },
    key: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
    budget: budget === undefined ? null : budgetToText(budget),
  }
}

/** Returns an id that is greater than earlier ones, so that the index of a large store grows at its end. */
const idAt = (now: number): string => `${now.toString(16).padStart(12, '0')}-${randomUUID()}`

async function underKey({ db }: Store, lane: LaneId, key: string): Promise<JobRow | undefined> {
  try {
    return await db
      .selectFrom('job')
      .selectAll()
      .where('lane', '=', lane)
      .where('key', '=', key)
      .executeTakeFirst()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw new Failure('ledger/unavailable', { operation: 'store' }, { cause })
  }
}

function requireSame(
  { operation, fingerprint }: JobRow,
  asked: LedgerWrite,
  idempotency: Idempotency | undefined,
): void {
  if (operation === asked && fingerprint === idempotency?.fingerprint) return
  throw new Failure('idempotency/key-reused', {})
}
