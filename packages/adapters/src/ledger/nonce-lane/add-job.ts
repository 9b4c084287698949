import { Failure } from '@heirloom/core'
import type { Transaction } from 'kysely'
import type { JobRow } from './job-row.ts'
import type { Database } from '../../job-store/schema.ts'
import type { Store } from '../../job-store/job-store.ts'

/** Adds a job, unless its key is taken, and returns the row that has the key, or the new one. */
export type Add = (row: JobRow) => Promise<JobRow>

type Entry = {
  readonly row: JobRow
  readonly resolve: (row: JobRow) => void
  readonly reject: (error: unknown) => void
}

/** Returns how jobs are added to a store: those that come together share one transaction. */
export function adding(store: Store, onAdded: () => void): Add {
  let next: Entry[] = []
  let busy = false
  const work = async () => {
    if (busy) return
    busy = true
    while (next.length > 0) {
      const entries = next
      next = []
      await addAll(store, entries)
      onAdded()
    }
    busy = false
  }
  return (row) =>
    new Promise((resolve, reject) => {
      next.push({ row, resolve, reject })
      // All that this turn of the event loop brings goes together.
      setImmediate(() => void work())
    })
}

async function addAll(store: Store, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ row }) => row)
  try {
    const kept = await insert(store, rows)
    for (const [place, { row, resolve }] of entries.entries()) resolve(kept[place] ?? row)
  } catch (cause) {
    const error = await refusal(store, rows, cause)
    for (const { reject } of entries) reject(error)
  }
}

function insert(store: Store, rows: readonly JobRow[]): Promise<readonly JobRow[]> {
  return store.commit(async (trx) => {
    const added = await trx
      .insertInto('job')
      // Processes that add the same keys in one order never wait for each other in a circle.
      .values(rows.toSorted(byKey))
      .onConflict((it) => it.columns(['lane', 'key']).doNothing())
      .returning('id')
      .execute()
    await store.announce(trx, rows[0]?.lane ?? '')
    const ids = new Set(added.map(({ id }) => id))
    const kept: JobRow[] = []
    for (const row of rows) kept.push(ids.has(row.id) ? row : await holderOf(trx, row))
    return kept
  }, 'lazily')
}

const byKey = ({ key: one }: JobRow, { key: other }: JobRow): number =>
  (one ?? '') < (other ?? '') ? -1 : 1

function holderOf(trx: Transaction<Database>, { lane, key }: JobRow): Promise<JobRow> {
  return trx
    .selectFrom('job')
    .selectAll()
    .where('lane', '=', lane)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

/** A commit whose answer was lost may have worked, so only what is seen to be gone was refused. */
async function refusal({ db }: Store, rows: readonly JobRow[], cause: unknown): Promise<Failure> {
  const ids = rows.map(({ id }) => id)
  try {
    const left = db.deleteFrom('job').where('id', 'in', ids).where('state', '=', 'queued')
    await left.execute()
    const rest = db.selectFrom('job').select('id').where('id', 'in', ids)
    if ((await rest.execute()).length === 0) {
      return new Failure('ledger/unavailable', { operation: 'store' }, { cause })
    }
  } catch {
    // Then nobody knows.
  }
  return new Failure('transaction/unknown', {}, { cause })
}
