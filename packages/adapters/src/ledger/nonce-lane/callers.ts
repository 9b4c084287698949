import { Failure } from '@heirloom/core'
import type { Store } from '../../store/store.ts'
import type { Inbox } from './inbox.ts'
import type { JobResult } from './job.ts'
import { resultOf, resultsOf } from './job-row.ts'

/** The callers that wait for jobs, whichever process executes them. */
export type Callers = {
  /** Returns the result of a job; after the timeout, a failure that says what is known of it. */
  wait(id: string): Promise<JobResult>
  /** Resolves the waits for the given jobs. */
  resolve(results: ReadonlyMap<string, JobResult>): void
  /** Reads the results of all jobs that callers wait for from the store. */
  refresh(): void
  /** Reports whether a caller waits for a job. */
  has(id: string): boolean
  /** Returns the number of jobs that callers wait for. */
  count(): number
  /** Ends every wait. */
  close(): Promise<void>
}

type Resolve = (result: JobResult) => void

export declare namespace callers {
  type Options = {
    readonly store: Store
    /** The longest wait of each caller, in milliseconds. */
    readonly timeout: number
    /** The jobs that are not stored yet; none where absent. */
    readonly inbox: Inbox | undefined
  }
}

/** Returns the callers of a lane. */
export function callers({ store, timeout, inbox }: callers.Options): Callers {
  const waiting = new Map<string, Set<Resolve>>()
  const resolveAll = (results: ReadonlyMap<string, JobResult>) => {
    for (const [id, result] of results) {
      for (const resolve of [...(waiting.get(id) ?? [])]) resolve(result)
    }
  }
  const readResults = async () => {
    const ids = [...waiting.keys()].filter((id) => !inbox?.has(id))
    if (ids.length > 0) resolveAll(await resultsIn(store, ids))
  }
  const withdraw = async (id: string) => (inbox?.take([id]) ? unsent() : withdrawStored(store, id))
  // A read that fails is repeated at the next notification.
  const refresh = () => void readResults().catch(() => undefined)
  const unsubscribe = store.subscribe(refresh)
  return {
    resolve: resolveAll,
    refresh,
    has: (id) => waiting.has(id),
    count: () => waiting.size,
    wait: (id) =>
      new Promise((resolve) => {
        const remove = addTo(waiting, id, (result) => {
          clearTimeout(timer)
          remove()
          resolve(result)
        })
        const timer = setTimeout(() => {
          remove()
          void withdraw(id).then(resolve)
        }, timeout)
      }),
    close: async () => {
      unsubscribe()
      const ids = [...waiting.keys()]
      const results = ids.map(async (id) => [id, await withdraw(id)] as const)
      resolveAll(new Map(await Promise.all(results)))
    },
  }
}

function addTo(waiting: Map<string, Set<Resolve>>, id: string, resolve: Resolve): () => void {
  const ofJob = waiting.get(id) ?? new Set()
  waiting.set(id, ofJob.add(resolve))
  return () => {
    ofJob.delete(resolve)
    if (ofJob.size === 0) waiting.delete(id)
  }
}

async function resultsIn(
  { db }: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobResult>> {
  const rows = await db.selectFrom('job').selectAll().where('id', 'in', ids).execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id)).map((id) => [id, unsent()] as const)
  return new Map([...resultsOf(rows), ...missing])
}

/** Returns the result of a job that is not in the store: it is not signed and never will be. */
const unsent = (): JobResult => ({
  kind: 'failed',
  failure: new Failure('ledger/unavailable', { operation: 'send' }),
})

/** Deletes a job that was never signed, and returns what is known of any other. */
async function withdrawStored({ db }: Store, id: string): Promise<JobResult> {
  try {
    await db.deleteFrom('job').where('id', '=', id).where('state', '=', 'queued').execute()
    const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) return unsent()
    const unconfirmed = new Failure('transaction/unconfirmed', { txHash: row.txHash ?? '0x' })
    return resultOf(row) ?? { kind: 'failed', failure: unconfirmed }
  } catch (cause) {
    return { kind: 'failed', failure: new Failure('transaction/unknown', {}, { cause }) }
  }
}
