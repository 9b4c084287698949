import type { Kysely, Transaction } from 'kysely'
import type { Database, LaneId } from './schema.ts'

/** Where jobs are kept: in a file of this process, or in a database that several share. */
export type Store = {
  readonly db: Kysely<Database>
  /** Makes further tables where they are missing; of several processes one does. */
  create(creation: Creation): Promise<void>
  /**
   * Runs `work` in one transaction. Returns once it would survive a loss of power; with `lazily`,
   * once it would survive the end of this process.
   */
  commit<T>(work: (trx: Transaction<Database>) => Promise<T>, lazily?: 'lazily'): Promise<T>
  /** Waits until no other process leads the lane, then leads it until released or lost. */
  lead(lane: LaneId, stop: AbortSignal): Promise<Lease>
  /** Tells the other processes, when the transaction commits, that jobs of the lane have changed. */
  announce(trx: Kysely<Database>, lane: LaneId): Promise<void>
  /** Calls back whenever another process may have changed a lane's jobs; returns how to stop. */
  subscribe(listener: () => void): () => void
  close(): Promise<void>
}

/** Tables to make. */
export type Creation = {
  /** The table or index that is made last, and so is there only when everything is. */
  readonly lastMade: string
  readonly create: (db: Kysely<Database>) => Promise<void>
}

/** The right to sign for a lane. */
export type Lease = {
  readonly epoch: number
  /** Aborted once another process may have the right. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Thrown out of a commit by a process that no longer leads the lane. */
export class Deposed extends Error {
  override readonly name = 'Deposed'
}

/** Thrown when nobody knows whether a commit worked; what is remembered of it must be read again. */
export class Uncertain extends Error {
  override readonly name = 'Uncertain'
}

/** Returns a store whose commits either tell why nothing was done, or that it is not known. */
export function knowing(store: Store): Store {
  return {
    ...store,
    commit: async (work, lazily) => {
      let refusal: { readonly error: unknown } | undefined
      const watched: typeof work = async (trx) => {
        try {
          return await work(trx)
        } catch (error) {
          refusal = { error }
          throw error
        }
      }
      try {
        return await store.commit(watched, lazily)
      } catch (cause) {
        if (refusal !== undefined) throw refusal.error
        throw new Uncertain('A commit was not answered.', { cause })
      }
    },
  }
}

/** Begins an epoch: whatever an older leader still tries to commit is refused from now on. */
export async function beginEpoch(db: Kysely<Database>, id: LaneId): Promise<number> {
  const first = { id, nextNonce: 0, epoch: 0 }
  await db
    .insertInto('lane')
    .values(first)
    .onConflict((it) => it.column('id').doNothing())
    .execute()
  const { epoch } = await db
    .updateTable('lane')
    .set((it) => ({ epoch: it('epoch', '+', 1) }))
    .where('id', '=', id)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

/** Holds the lane for the rest of a transaction. */
export async function fence(
  trx: Transaction<Database>,
  id: LaneId,
  { epoch }: Lease,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('lane')
    .set({ epoch })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw deposed()
}

/** Holds the lane for the rest of a transaction and takes its next nonce, which is `least` or above. */
export async function takeNonce(
  trx: Transaction<Database>,
  id: LaneId,
  { lease, least }: { readonly lease: Lease; readonly least: number },
): Promise<number> {
  const taken = await trx
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
    .where('epoch', '=', lease.epoch)
    .returning('nextNonce')
    .executeTakeFirst()
  if (taken === undefined) throw deposed()
  return taken.nextNonce - 1
}

const deposed = () => new Deposed('Another process leads this wallet now.')
