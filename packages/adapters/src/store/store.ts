import { Failure, isFailure } from '@heirloom/core'
import type { Kysely, Transaction } from 'kysely'
import { databaseOutage } from '../platform/error-words.ts'
import type { Means } from '../platform/means.ts'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import type { Database, LaneId } from './schema.ts'

/**
 * The database of a server, with its jobs, names, ratings, seals and notes on packs: a file of this
 * process, or a database that several processes share.
 */
export type Store = {
  readonly db: Kysely<Database>
  /** Whether other processes may use the store at the same time. */
  readonly isShared: boolean
  /** Returns the time, in milliseconds since 1970: the same for all processes that share the store. */
  now(): number
  /**
   * Brings further tables of the database to the version of this program; of several processes, one
   * does it.
   *
   * @throws `folder/unusable` if a newer version of the program made the tables
   */
  migrate(tables: VersionedTables): Promise<void>
  /**
   * Runs `work` in one transaction. Resolves once the result survives a power failure; with
   * `lazily`, once it survives the end of this process.
   */
  commit<T>(work: (trx: Transaction<Database>) => Promise<T>, lazily?: 'lazily'): Promise<T>
  /**
   * Waits until no other process leads the lane, and returns the lease to lead it. While the means of
   * its work are silent the lease goes to a process whose means answer, if there is one.
   */
  lead(lane: LaneId, stop: AbortSignal, means?: Means): Promise<Lease>
  /** Notifies the other processes, when the transaction commits, that jobs of the lane changed. */
  announce(trx: Kysely<Database>, lane: LaneId): Promise<void>
  /**
   * Calls `listener` when another process may have changed jobs, until the result is called: with their
   * lane, or with none where they may be of any.
   */
  subscribe(listener: (lane?: LaneId) => void): () => void
  /**
   * Between two transactions, runs `also` and keeps the file of the jobs complete and unchanged until
   * the result is called, so that another process can copy it; commits go on. Absent for a database.
   */
  hold?(also: () => () => void): Promise<() => void>
  close(): Promise<void>
}

/** The exclusive right to sign for a lane. */
export type Lease = {
  /** Grows with each leader; a commit with an older one is refused. */
  readonly fencingToken: number
  /** Aborted once another process may hold the lease. */
  readonly lost: AbortSignal
  /** Returns whether the lease is renewed and not lost; false at once when a freeze outlasted it. */
  isHeld(): boolean
  /** Returns whether it is the newest of its lane, where only this process issues them. */
  isNewest?(): boolean
  release(): Promise<void>
}

/** Thrown out of a commit by a process that no longer leads the lane. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** Thrown when a commit may or may not have succeeded; the store must be read again. */
export class CommitUncertain extends Error {
  override readonly name = 'CommitUncertain'
}

/** Returns a store whose commits throw the error of `work`, or `CommitUncertain` for any other. */
export function detectUncertainCommits(store: Store): Store {
  return {
    ...store,
    commit: async (work, lazily) => {
      let thrown: { readonly error: unknown } | undefined
      const observedWork: typeof work = async (trx) => {
        try {
          return await work(trx)
        } catch (error) {
          thrown = { error }
          throw error
        }
      }
      try {
        return await store.commit(observedWork, lazily)
      } catch (cause) {
        if (thrown !== undefined) throw thrown.error
        throw new CommitUncertain('A commit was not answered.', { cause })
      }
    },
  }
}

/**
 * Returns a new fencing token of a lane: commits of older leaders are refused from now on. It is at
 * least `least`: a promoted standby that lacks the last token must not issue it a second time.
 */
export async function issueFencingToken(
  db: Kysely<Database>,
  id: LaneId,
  least: number,
): Promise<number> {
  const first = { id, nextNonce: 0, epoch: 0 }
  await db
    .insertInto('lane')
    .values(first)
    .onConflict((it) => it.column('id').doNothing())
    .execute()
  const { epoch } = await db
    .updateTable('lane')
    .set((it) => ({
      epoch: it
        .case()
        .when('epoch', '<', least)
        .then(it.val(least))
        .else(it('epoch', '+', 1))
        .end(),
    }))
    .where('id', '=', id)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

/** Requires the newest lease of the lane, and locks the lane until the transaction ends. */
export async function requireLease(
  trx: Transaction<Database>,
  id: LaneId,
  { fencingToken: epoch, isNewest }: Lease,
): Promise<void> {
  if (isNewest?.()) return
  const { numUpdatedRows } = await trx
    .updateTable('lane')
    .set({ epoch })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw leaseLost()
}

/** Requires the lease as `requireLease` does, and takes the next nonce from `least` on. */
export async function takeNonce(
  trx: Transaction<Database>,
  id: LaneId,
  { lease, least }: { readonly lease: Lease; readonly least: number },
): Promise<number> {
  const lane = await trx
    .updateTable('lane')
    .set((it) => ({
      nextNonce: it
        .case()
        .when('nextNonce', '<', least)
        .then(it.val(least + 1))
        .else(it('nextNonce', '+', 1))
        .end(),
    }))
    .where('id', '=', id)
    .where('epoch', '=', lease.fencingToken)
    .returning('nextNonce')
    .executeTakeFirst()
  if (lane === undefined) throw leaseLost()
  return lane.nextNonce - 1
}

/** Returns the nonce that the leader of a lane takes next, `least` at least. */
export async function readNextNonce(
  db: Kysely<Database>,
  id: LaneId,
  least: number,
): Promise<number> {
  const row = await db
    .selectFrom('lane')
    .select('nextNonce')
    .where('id', '=', id)
    .executeTakeFirst()
  return Math.max(row?.nextNonce ?? 0, least)
}

const leaseLost = () => new LeaseLost('Another process leads this wallet now.')

/** Returns the failure of what the store did not do. */
export const storeFailure = (cause: unknown): Failure<'store/unavailable'> =>
  new Failure('store/unavailable', { reason: databaseOutage(cause) ?? 'an error' }, { cause })

/**
 * Returns the result of work on a store. An error that is no failure becomes the one that `failureOf`
 * returns for it.
 */
export async function answered<T>(
  work: () => Promise<T>,
  failureOf: (cause: unknown) => Failure,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isFailure(cause) ? cause : failureOf(cause)
  }
}
