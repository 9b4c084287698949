import { Failure } from '@heirloom/core'
import type { End } from './job.ts'
import { endOf, endsOf } from './job-row.ts'
import type { Store } from '../../job-store/job-store.ts'

/** The callers who wait for jobs, whichever process does them. */
export type Waiting = {
  /** Returns how a job ends, or that nobody knows after too long. */
  for(id: string): Promise<End>
  /** Tells callers how their jobs ended. */
  tell(ends: ReadonlyMap<string, End>): void
  /** Asks the store how the jobs ended that are waited for. */
  look(): void
  /** How many jobs are waited for. */
  count(): number
  /** Ends every wait. */
  close(): Promise<void>
}

type Waiter = (end: End) => void

/** Returns a place to wait in, each caller for `patience` milliseconds. */
export function waiting(store: Store, patience: number): Waiting {
  const waiters = new Map<string, Set<Waiter>>()
  const tell = (ends: ReadonlyMap<string, End>) => {
    for (const [id, end] of ends) {
      for (const waiter of [...(waiters.get(id) ?? [])]) waiter(end)
    }
  }
  const look = async () => {
    if (waiters.size > 0) tell(await endsIn(store, [...waiters.keys()]))
  }
  // What cannot be read now is asked again at the next notice.
  const lookOrLeave = () => void look().catch(() => undefined)
  const unsubscribe = store.subscribe(lookOrLeave)
  return {
    tell,
    look: lookOrLeave,
    count: () => waiters.size,
    for: (id) =>
      new Promise((resolve) => {
        const leave = enter(waiters, id, (end) => {
          clearTimeout(timer)
          leave()
          resolve(end)
        })
        const timer = setTimeout(() => {
          leave()
          void giveUp(store, id).then(resolve)
        }, patience)
      }),
    close: async () => {
      unsubscribe()
      const ids = [...waiters.keys()]
      tell(
        new Map(await Promise.all(ids.map(async (id) => [id, await giveUp(store, id)] as const))),
      )
    },
  }
}

function enter(waiters: Map<string, Set<Waiter>>, id: string, waiter: Waiter): () => void {
  const mine = waiters.get(id) ?? new Set()
  waiters.set(id, mine.add(waiter))
  return () => {
    mine.delete(waiter)
    if (mine.size === 0) waiters.delete(id)
  }
}

async function endsIn({ db }: Store, ids: readonly string[]): Promise<ReadonlyMap<string, End>> {
  const rows = await db.selectFrom('job').selectAll().where('id', 'in', ids).execute()
  const found = new Set(rows.map(({ id }) => id))
  const gone = ids.filter((id) => !found.has(id)).map((id) => [id, unsent()] as const)
  return new Map([...endsOf(rows), ...gone])
}

/** A job that is not kept is not signed, and never will be. */
const unsent = (): End => ({
  kind: 'failed',
  failure: new Failure('ledger/unavailable', { operation: 'send' }),
})

/** Ends the wait for a job: one that was never signed is withdrawn, the fate of others is unknown. */
async function giveUp({ db }: Store, id: string): Promise<End> {
  try {
    await db.deleteFrom('job').where('id', '=', id).where('state', '=', 'queued').execute()
    const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) return unsent()
    const unconfirmed = new Failure('transaction/unconfirmed', { txHash: row.txHash ?? '0x' })
    return endOf(row) ?? { kind: 'failed', failure: unconfirmed }
  } catch (cause) {
    return { kind: 'failed', failure: new Failure('transaction/unknown', {}, { cause }) }
  }
}
