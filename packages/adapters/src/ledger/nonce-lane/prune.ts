import type { Transaction } from 'kysely'
import { concat, type Hex } from 'viem'
import { type Database, unsentState } from '../../store/schema.ts'
import { requireLease } from '../../store/store.ts'
import type { Confirmer } from './answers/confirmer.ts'
import { mintedDigests, withoutCard } from './job.ts'
import { type JobRow, readJobs } from './job-row.ts'
import type { LaneContext } from './lane-context.ts'

/**
 * Prunes what ended so long ago that no reorganisation undoes it and no caller waits for it.
 *
 * - A slot and its signed transactions go; only the newest settled slot stays, which shows how far
 *   the lane saw its chain.
 * - A job with an idempotency key stays, with what answers a repetition.
 * - Of mints without a key the digests stay, all of a step in one row: a server that was killed before
 *   it claimed their blobs must not remove them at its next start.
 * - Any other job goes; a failed settlement nine days later, since its payment may have to be given back,
 *   and a mint that was signed and failed once the chain has said that it minted nothing.
 *
 * A program of an earlier version reads all this as it reads any other job: that row has no key and
 * has ended, and its call data holds the digests that `hasJobFor` looks for.
 */
export type Pruner = {
  /** Prunes the oldest slots, if there are enough. There may be more when it has moved any. */
  step(): Promise<{ readonly hasMoved: boolean }>
}

/** The number of slots that one step prunes at most; fewer stay as they are, unless they are full. */
export const pruneSize = 32

/** The number of jobs from which fewer slots are pruned, too. */
const fullSize = 128

/** The number of slots that are decided between two looks. */
const lookEvery = 16

/** The longest time between two looks for something to prune, in milliseconds. */
const interval = 60_000

/**
 * The time for which failed settlements stay, in milliseconds: longer than sweeps look back. Those that
 * became older while no process ran stay for an hour more, for the sweep of its start.
 */
const settlementTimes = { kept: 9 * 86_400_000, afterStart: 3_600_000 }

/** Opens the pruner of a lane. Its first steps prune what earlier leaders left. */
export function openPruner(
  context: LaneContext,
  { decided, height }: Pick<Confirmer, 'decided' | 'height'>,
): Pruner {
  let next = { decided: 0, time: 0 }
  const openedAt = context.now()
  return {
    step: async () => {
      const now = context.now()
      if (decided() < next.decided && now < next.time) return { hasMoved: false }
      const hasMoved = await prune({ ...context, openedAt }, height())
      if (!hasMoved) next = { decided: decided() + lookEvery, time: now + interval }
      return { hasMoved }
    },
  }
}

type PrunedLane = LaneContext & { readonly openedAt: number }

/** Prunes in one commit what there is enough of, and returns whether there may be more. */
async function prune(context: PrunedLane, height: bigint | undefined): Promise<boolean> {
  const { store, lane, lease } = context
  const failed = await failedJobs(context)
  const slots = await prunableSlots(context, height)
  if (failed.length === 0 && slots.length === 0) return false
  // What a power failure undoes is pruned again.
  await store.commit(async (trx) => {
    await requireLease(trx, lane, lease)
    await deleteJobs(trx, failed)
    await pruneJobs(trx, context, slots)
    const nonces = slots.map(({ nonce }) => nonce)
    for (const table of ['attempt', 'slot'] as const) {
      const ofLane = trx.deleteFrom(table).where('lane', '=', lane)
      if (nonces.length > 0) await ofLane.where('nonce', 'in', nonces).execute()
    }
  }, 'lazily')
  return true
}

type Trx = Transaction<Database>

/** A slot, with the ids of its jobs. */
type EndedSlot = { readonly nonce: number; readonly jobs: readonly string[] }

/** Returns the oldest slots that nothing can undo and nobody waits for; none if there are few. */
async function prunableSlots(
  { lane, reorgDepth, store, callers, now, callerTimeout }: LaneContext,
  height: bigint | undefined,
): Promise<readonly EndedSlot[]> {
  if (reorgDepth > 0 && height === undefined) return []
  const { db } = store
  const settled = db.selectFrom('slot').where('lane', '=', lane).where('state', '=', 'settled')
  const newest = await settled.select((it) => it.fn.max('nonce').as('nonce')).executeTakeFirst()
  let query = db
    .selectFrom('slot')
    .select(['nonce', 'jobs'])
    .where('lane', '=', lane)
    .where('state', 'in', ['settled', 'lost'])
    .where('nonce', '<', newest?.nonce ?? 0)
  if (reorgDepth > 0) query = query.where('blockNumber', '<', Number(height) - reorgDepth)
  // The callers of another server read the results when they are notified, or time out.
  if (store.isShared) query = query.where('signedAt', '<', now() - 2 * callerTimeout)
  const rows = await query.orderBy('nonce').limit(pruneSize).execute()
  const slots: readonly EndedSlot[] = rows.map((row) => ({ ...row, jobs: JSON.parse(row.jobs) }))
  const jobs = slots.reduce((sum, slot) => sum + slot.jobs.length, 0)
  if (slots.length < pruneSize && jobs < fullSize) return []
  return slots.filter((slot) => !slot.jobs.some(callers.has))
}

async function pruneJobs(
  trx: Trx,
  { lane }: LaneContext,
  slots: readonly EndedSlot[],
): Promise<void> {
  const ended = await endedJobs(trx, slots)
  const done = ended.filter(({ state }) => state === 'done')
  const [keyed, others] = [ended.filter(hasKey), done.filter((row) => !hasKey(row))]
  const mints = done.filter(({ operation }) => operation === 'mint')
  const digests = mints.flatMap(({ data }) => mintedDigests(data))
  for (const row of keyed) await shorten(trx, row)
  await deleteJobs(trx, others)
  const [first = keyed[0]] = others
  if (digests.length > 0 && first !== undefined) await addDigests(trx, { lane, digests, first })
}

/** Reads the jobs that ended in slots. A job that moved to another nonce belongs to that slot. */
async function endedJobs(trx: Trx, slots: readonly EndedSlot[]): Promise<readonly JobRow[]> {
  const nonces = new Set(slots.map(({ nonce }) => nonce))
  const jobs = slots.flatMap((slot) => slot.jobs)
  const rows: JobRow[] = []
  for (let at = 0; at < jobs.length; at += idLimit) {
    rows.push(...(await readJobs(trx, { jobs: jobs.slice(at, at + idLimit) })))
  }
  const unique = new Map(rows.map((row) => [row.id, row])).values()
  return [...unique].filter(({ nonce, outcome }) => nonces.has(nonce ?? -1) && outcome !== null)
}

const hasKey = ({ key }: JobRow): boolean => key !== null

/** Leaves of a job with a key what answers a repetition. */
async function shorten(trx: Trx, { id, operation, state, data }: JobRow): Promise<void> {
  // Failed mints and settlements stay whole: what they left is removed, or given back, by their data.
  if (state === 'failed' && (operation === 'settle' || operation === 'mint')) return
  const shorter = { budget: null, requestId: null, traceparent: null }
  await trx
    .updateTable('job')
    .set({ ...shorter, data: operation === 'mint' ? withoutCard(data) : '0x' })
    .where('id', '=', id)
    .execute()
}

type Digests = {
  readonly lane: string
  readonly digests: readonly Hex[]
  /** One of the jobs that minted them. */
  readonly first: JobRow
}

/** Adds a row that holds the digests of mints, and nothing else of them. */
async function addDigests(trx: Trx, { lane, digests, first }: Digests): Promise<void> {
  await trx
    .insertInto('job')
    .values({
      id: `${first.id}-digests`,
      lane,
      operation: 'digests',
      to: '0x',
      value: '0',
      data: concat(digests),
      state: 'done',
      outcome: '{}',
      acceptedAt: first.acceptedAt,
      key: null,
      fingerprint: null,
      budget: null,
      nonce: null,
      txHash: null,
      requestId: null,
      traceparent: null,
    })
    .execute()
}

/** The most ids in one statement. */
const idLimit = 100

async function deleteJobs(trx: Trx, jobs: readonly Pick<JobRow, 'id'>[]): Promise<void> {
  const ids = jobs.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += idLimit) {
    const some = ids.slice(at, at + idLimit)
    await trx.deleteFrom('job').where('id', 'in', some).execute()
  }
}

/** Returns the first jobs that failed without an effect, long enough ago. */
function failedJobs({ store, lane, now, callerTimeout, openedAt }: PrunedLane) {
  const { kept, afterStart } = settlementTimes
  const settledBefore = now() < openedAt + afterStart ? 0 : now() - kept
  return store.db
    .selectFrom('job')
    .select('id')
    .where('lane', '=', lane)
    .where('state', '=', unsentState('failed'))
    .where('key', 'is', null)
    .where('acceptedAt', '<', now() - 2 * callerTimeout)
    .where((it) => it.or([it('operation', '!=', 'settle'), it('acceptedAt', '<', settledBefore)]))
    .where((it) => it.or([it('operation', '!=', 'mint'), it('nonce', 'is', null)]))
    .limit(pruneSize)
    .execute()
}
