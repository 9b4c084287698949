import { Failure } from '@heirloom/core'
import type { Transaction } from 'kysely'
import type { JobStore } from '../../job-store/job-store.ts'
import type { Database } from '../../job-store/schema.ts'
import type { JobRow } from './job-row.ts'

/** Adds a job and returns its row, or the row that already has its idempotency key. */
export type AddJob = (row: JobRow) => Promise<JobRow>

type Entry = {
  readonly row: JobRow
  readonly resolve: (row: JobRow) => void
  readonly reject: (error: unknown) => void
}

/** Returns a function that adds jobs in batches: one transaction at a time, for all that wait. */
export function batchedAddJob(store: JobStore, onAdded: () => void): AddJob {
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
  return (row) =>
    new Promise((resolve, reject) => {
      next.push({ row, resolve, reject })
      // The jobs of one turn of the event loop share a batch.
      setImmediate(() => void work())
    })
}

async function addAll(store: JobStore, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ row }) => row)
  try {
    const stored = await insert(store, rows)
    for (const [index, { row, resolve }] of entries.entries()) resolve(stored[index] ?? row)
  } catch (cause) {
    const failure = await withdrawAll(store, rows, cause)
    for (const { reject } of entries) reject(failure)
  }
}

function insert(store: JobStore, rows: readonly JobRow[]): Promise<readonly JobRow[]> {
  return store.commit(async (trx) => {
    const added = await trx
      .insertInto('job')
      // One order of the keys in every process avoids deadlocks.
      .values(rows.toSorted(byKey))
      .onConflict((it) => it.columns(['lane', 'key']).doNothing())
      .returning('id')
      .execute()
    await store.announce(trx, rows[0]?.lane ?? '')
    const ids = new Set(added.map(({ id }) => id))
    const stored: JobRow[] = []
    for (const row of rows) stored.push(ids.has(row.id) ? row : await rowWithKey(trx, row))
    return stored
  }, 'lazily')
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
 * not answered may have succeeded, so `ledger/unavailable` needs proof that no job is left.
 */
async function withdrawAll(
  { db }: JobStore,
  rows: readonly JobRow[],
  cause: unknown,
): Promise<Failure> {
  const ids = rows.map(({ id }) => id)
  try {
    const queued = db.deleteFrom('job').where('id', 'in', ids).where('state', '=', 'queued')
    await queued.execute()
    const left = db.selectFrom('job').select('id').where('id', 'in', ids)
    if ((await left.execute()).length === 0) {
      return new Failure('ledger/unavailable', { operation: 'store' }, { cause })
    }
  } catch {
    // The state of the jobs remains unknown.
  }
  return new Failure('transaction/unknown', {}, { cause })
}
