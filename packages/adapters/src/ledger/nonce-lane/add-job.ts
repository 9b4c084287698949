import { Failure } from '@heirloom/core'
import type { Transaction } from 'kysely'
import { beginMint } from '../../store/names/holds.ts'
import type { Database } from '../../store/schema.ts'
import {
  CommitUncertain,
  detectUncertainCommits,
  type Store,
  storeFailure,
} from '../../store/store.ts'
import type { JobRow } from './job-row.ts'

/**
 * Adds a job and returns its row, or the row that already has its idempotency key. The job of a hold
 * that was given up is not added.
 */
export type AddJob = (row: JobRow, hold?: string) => Promise<JobRow>

type Entry = {
  readonly row: JobRow
  /** The hold of a name that the job decides. */
  readonly hold: string | undefined
  readonly resolve: (row: JobRow) => void
  readonly reject: (error: unknown) => void
}

/** Returns a function that adds jobs in batches: one transaction at a time, for all that wait. */
export function batchedAddJob(store: Store, onAdded: () => void): AddJob {
  let next: Entry[] = []
  let isBusy = false
  const work = async () => {
    if (isBusy) return
    isBusy = true
    while (next.length > 0) {
      const entries = next
      next = []
      await addAll(store, entries)
      onAdded()
    }
    isBusy = false
  }
  return (row, hold) =>
    new Promise((resolve, reject) => {
      next.push({ row, hold, resolve, reject })
      // The jobs of one turn of the event loop share a batch.
      setImmediate(() => void work())
    })
}

async function addAll(store: Store, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ row }) => row)
  try {
    const stored = await insert(detectUncertainCommits(store), entries)
    for (const { row, resolve, reject } of entries) {
      const result = stored.get(row.id)
      if (result instanceof Failure) reject(result)
      else resolve(result ?? row)
    }
  } catch (cause) {
    const failure = await failureOf(store, rows, cause)
    for (const { reject } of entries) reject(failure)
  }
}

/** Returns the failure of jobs that were not added: what failed before its commit is not stored. */
const failureOf = (store: Store, rows: readonly JobRow[], cause: unknown): Promise<Failure> =>
  cause instanceof CommitUncertain
    ? withdrawAll(store, rows, cause)
    : Promise.resolve(storeFailure(cause))

/** Returns the stored row of each new one by its id, or why it is not stored. */
function insert(
  store: Store,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, JobRow | Failure>> {
  return store.commit(async (trx) => {
    const refused = await beginMints(trx, entries)
    const rows = entries.flatMap(({ row }) => (refused.has(row.id) ? [] : [row]))
    const [first] = rows
    if (first === undefined) return refused
    const added = await trx
      .insertInto('job')
      // One order of the keys in every process avoids deadlocks.
      .values(rows.toSorted(byKey))
      .onConflict((it) => it.columns(['lane', 'key']).doNothing())
      .returning('id')
      .execute()
    await store.announce(trx, first.lane)
    const ids = new Set(added.map(({ id }) => id))
    const stored = new Map<string, JobRow | Failure>(refused)
    for (const row of rows) stored.set(row.id, ids.has(row.id) ? row : await rowWithKey(trx, row))
    return stored
  }, 'lazily')
}

/** Lets the jobs decide the holds of their names; returns the failures of holds that were given up. */
async function beginMints(
  trx: Transaction<Database>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Failure>> {
  const refused = new Map<string, Failure>()
  for (const { row, hold } of entries) {
    const failure = hold && (await beginMint(trx, { hold, job: row.id }))
    if (failure) refused.set(row.id, failure)
  }
  return refused
}

const byKey = ({ key: one }: JobRow, { key: other }: JobRow): number =>
  (one ?? '') < (other ?? '') ? -1 : 1

function rowWithKey(trx: Transaction<Database>, { lane, key }: JobRow): Promise<JobRow> {
  return trx
    .selectFrom('job')
    .selectAll()
    .where('lane', '=', lane)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

/**
 * Deletes the jobs of a failed commit and returns the failure for their callers. A commit that was
 * not answered may have succeeded, so `store/unavailable` needs proof that no job is left.
 */
async function withdrawAll(
  { db }: Store,
  rows: readonly JobRow[],
  cause: unknown,
): Promise<Failure> {
  const ids = rows.map(({ id }) => id)
  try {
    const queued = db.deleteFrom('job').where('id', 'in', ids).where('state', '=', 'queued')
    await queued.execute()
    const left = db.selectFrom('job').select('id').where('id', 'in', ids)
    if ((await left.execute()).length === 0) {
      return storeFailure(cause)
    }
  } catch {
    // The state of the jobs remains unknown.
  }
  return new Failure('transaction/unknown', {}, { cause })
}
