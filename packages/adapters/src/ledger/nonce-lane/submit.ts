import { type Failure, type FailureCode, isFailure } from '@heirloom/core'
import type { Transaction } from 'kysely'
import { ExecutionRevertedError } from 'viem'
import { causes } from '../../platform/error-words.ts'
import { type Database, unsentState } from '../../store/schema.ts'
import {
  CommitUncertain,
  readNextNonce,
  requireLease,
  storeFailure,
  takeNonce,
} from '../../store/store.ts'
import { gasLimitOf } from '../relay/gas-limit.ts'
import type { Confirmer } from './answers/confirmer.ts'
import type { Priced } from './answers/known-chain.ts'
import { requireBudgetCallLimit } from './fees/key-budgets.ts'
import { dayOf, requireCallLimit, spend } from './fees/spend-limit.ts'
import { batchLimit, type Call, joinCalls } from './job.ts'
import { type JobRow, resultToRow } from './job-row.ts'
import type { LaneContext } from './lane-context.ts'
import { type LaneJob, laneJobsOf } from './lane-event.ts'
import { shapeOfMints } from './mint-shape.ts'
import { checkSkippedNonces } from './skipped-nonces.ts'
import {
  insertAttempt,
  insertSlot,
  maxCost,
  type Slot,
  sendLatest,
  signAttempt,
  transactionOf,
} from './slots.ts'

/** The longest time a mint waits for others to join its transaction, in milliseconds. */
const maxBatchDelay = 250

/**
 * The jobs of the next transaction, whether they are all that were queued, and the milliseconds until
 * the queued mints are due.
 */
export type Batch = {
  readonly rows: readonly JobRow[]
  readonly isAll?: boolean
  readonly wait?: number | undefined
}

type QueueContext = Pick<LaneContext, 'store' | 'lane' | 'now' | 'callerTimeout' | 'window'> &
  Partial<Pick<LaneContext, 'inbox'>>
type LaneLoad = Pick<Confirmer, 'open' | 'averageWait' | 'lastSettled'>

/** Returns the jobs of the next transaction; no jobs if nothing can be sent now. */
export async function nextBatch(context: QueueContext, load: LaneLoad): Promise<Batch> {
  if (load.open().length >= context.window) return { rows: [] }
  const rows = await queuedJobs(context)
  const current = rows.filter(
    ({ acceptedAt }) => acceptedAt > context.now() - context.callerTimeout,
  )
  if (current.length < rows.length) await deleteExpired(context, rows)
  const mints = current.filter(({ operation }) => operation === 'mint').slice(0, batchLimit)
  const other = current.find(({ operation }) => operation !== 'mint')
  const others = other === undefined ? [] : [other]
  const [mint] = mints
  if (mint === undefined) return { rows: others }
  const wait = batchDelay(context, load, mints) - elapsed(context.now(), mint.acceptedAt)
  if (wait > 0) return { rows: others, wait }
  if (other !== undefined && other.acceptedAt < mint.acceptedAt) return { rows: others }
  return { rows: mints, isAll: mints.length === rows.length }
}

/** Returns the first queued jobs, of the store and of the inbox, in the order in which they were accepted. */
async function queuedJobs(context: QueueContext): Promise<readonly JobRow[]> {
  const { inbox } = context
  if (inbox === undefined) return readQueued(context)
  if (!inbox.mayBeStored) return inbox.rows()
  // Before the read: what is stored during it is read next.
  inbox.mayBeStored = false
  const stored = await readQueued(context)
  inbox.mayBeStored ||= stored.length > 0
  return [...stored, ...inbox.rows()].toSorted((one, other) => one.acceptedAt - other.acceptedAt)
}

function readQueued({ store, lane }: QueueContext): Promise<readonly JobRow[]> {
  return store.db
    .selectFrom('job')
    .selectAll()
    .where('lane', '=', lane)
    .where('state', '=', unsentState('queued'))
    .orderBy('acceptedAt')
    .orderBy('id')
    .limit(2 * batchLimit)
    .execute()
}

/** Returns the time since an instant; infinite if the clock was set back, so that nothing waits. */
const elapsed = (now: number, at: number): number =>
  now < at ? Number.POSITIVE_INFINITY : now - at

/** Returns how long queued mints wait for more mints, in milliseconds. */
function batchDelay({ now }: QueueContext, load: LaneLoad, mints: readonly JobRow[]): number {
  if (mints.length === batchLimit) return 0
  if (load.open().length > 0) return Math.min(load.averageWait() / 4, maxBatchDelay)
  // On an idle lane mints wait only for callers whose jobs settled together a moment ago.
  const { jobs, waited, at } = load.lastSettled()
  if (mints.length >= jobs || elapsed(now(), at) > waited) return 0
  return Math.min(waited / 2, maxBatchDelay)
}

/** Deletes queued jobs whose callers have timed out, so that they cost nothing. */
async function deleteExpired(
  { store, lane, now, callerTimeout }: QueueContext,
  rows: readonly JobRow[],
): Promise<void> {
  await store.db
    .deleteFrom('job')
    .where('lane', '=', lane)
    .where('state', '=', 'queued')
    .where('acceptedAt', '<=', now() - callerTimeout)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}

/**
 * Simulates the jobs, signs one transaction for all of them, makes it durable and sends it. If they
 * cannot succeed together, submits each half alone, so that an invalid job fails no other.
 */
export async function submit(
  context: LaneContext,
  confirmer: Confirmer,
  rows: readonly JobRow[],
): Promise<void> {
  const call = joinCalls(rows.map(({ to, data, value }) => ({ to, data, value: BigInt(value) })))
  let sent: Slot
  try {
    const priced = await context.known.price(call, {
      limit: rows[0] && gasLimitOf(rows[0]),
      known: rows[0] && (await context.knownGas?.({ ...call, operation: rows[0].operation })),
      shape: shapeOfMints(rows, context.wallet.address),
      reserved: confirmer.reserved(),
    })
    await checkSkippedNonces(context, priced.leastNonce)
    const share = maxCost(call.value, priced) / BigInt(rows.length)
    requireCallLimit(context.limits, share)
    requireBudgetCallLimit(rows, share)
    const slot = await commitSlot(context, { rows, call, priced })
    context.known.spend(slot.reserved)
    confirmer.add(slot)
    const waited = context.now() - Math.min(...rows.map(({ acceptedAt }) => acceptedAt))
    const jobs = laneJobsOf(rows).map(asSent)
    context.observe({ kind: 'signed', ...transactionOf(slot, jobs), waited })
    await sendLatest(context, slot, jobs)
    sent = slot
  } catch (error) {
    if (error instanceof JobWithdrawn) return
    if (!isFailure(error) || isTransient(context, rows, error)) throw error
    return submitHalves(context, confirmer, { rows, failure: error })
  }
  await confirmer.confirm(sent)
}

/** The row of a job that is sent was read while it was queued. */
const asSent = (job: LaneJob): LaneJob => ({ ...job, state: 'sent' })

async function submitHalves(
  context: LaneContext,
  confirmer: Confirmer,
  { rows, failure }: { readonly rows: readonly JobRow[]; readonly failure: Failure },
): Promise<void> {
  if (rows.length === 1 || concernsAll(failure)) return refuse(context, rows, failure)
  const half = Math.ceil(rows.length / 2)
  await submit(context, confirmer, rows.slice(0, half))
  await submit(context, confirmer, rows.slice(half))
}

/** The failures of a chain or of a key service that is down. */
const outages: readonly FailureCode[] = ['ledger/unavailable', 'key-service/unavailable']

/** Returns whether a failure is an outage. A revert, even without a reason, says nothing of other jobs. */
const isOutage = (failure: Failure): boolean =>
  outages.includes(failure.code) &&
  ![...causes(failure)].some((cause) => cause instanceof ExecutionRevertedError)

/** Returns whether a failure would meet any other jobs, too. */
const concernsAll = (failure: Failure): boolean =>
  isOutage(failure) || failure.code === 'key-service/wrong-key'

/** Returns whether a failure is an outage that has not lasted for `outageTimeout` yet. */
function isTransient(
  { now, outageTimeout }: LaneContext,
  rows: readonly JobRow[],
  failure: Failure,
): boolean {
  const youngest = Math.max(...rows.map(({ acceptedAt }) => acceptedAt))
  return isOutage(failure) && now() - youngest < outageTimeout
}

/** Thrown when the caller of a job timed out just before the job was signed. */
class JobWithdrawn extends Error {}

/**
 * Commits nonce, signed bytes, state of the jobs and reserved cost in one transaction. It signs before,
 * because a key service may take seconds, for which nobody else could write: bytes that are not
 * committed then go nowhere, and their nonce is signed again.
 */
async function commitSlot(
  context: LaneContext,
  { rows, call, priced }: { rows: readonly JobRow[]; call: Call; priced: Priced },
): Promise<Slot> {
  const { store, lane, lease, wallet, chainId, limits, memory } = context
  const now = context.now()
  const day = dayOf(now)
  const jobs = rows.map(({ id }) => id)
  const { leastNonce: least, ...pricing } = priced
  const reserved = maxCost(call.value, pricing)
  const { nextNonce = 0 } = memory
  const nonce = nextNonce > least ? nextNonce : await readNextNonce(store.db, lane, least)
  const transaction = { ...call, ...pricing, chainId, nonce }
  const attempt = await signAttempt(wallet, transaction, { cancels: false, now })
  const { gas } = pricing
  const signed = { state: 'sent', nonce, txHash: attempt.hash } as const
  const commit = store.commit(async (trx) => {
    const taken = await takeNonce(trx, lane, { lease, least })
    memory.nextNonce = undefined
    if (taken !== nonce) throw new Error(`Nonce ${nonce} was signed, but ${taken} comes next.`)
    const slot: Slot = {
      ...call,
      nonce,
      state: 'open',
      jobs,
      gas,
      reserved,
      day,
      signedAt: now,
      block: undefined,
      attempts: [attempt],
      rows: rows.map((row) => ({ ...row, ...signed })),
    }
    await spend(trx, { lane, day, rows, before: 0n, after: reserved, limits, memory })
    await insertSlot(trx, lane, slot)
    await insertAttempt(trx, lane, { nonce, attempt })
    await writeSigned(context, trx, { rows, signed })
    return slot
  })
  const slot = await refusingUnstored(context, rows, commit)
  memory.nextNonce = nonce + 1
  return slot
}

/** Ends the jobs that the store did not take, if it does not take commits; resolves as the commit does. */
async function refusingUnstored<T>(
  { inbox, callers }: LaneContext,
  rows: readonly JobRow[],
  commit: Promise<T>,
): Promise<T> {
  try {
    return await commit
  } catch (error) {
    if (error instanceof CommitUncertain) {
      const result = { kind: 'failed', failure: storeFailure(error.cause) } as const
      const unstored = rows.filter(({ id }) => inbox?.take([id]))
      callers.resolve(new Map(unstored.map(({ id }) => [id, result])))
    }
    throw error
  }
}

type Signed = {
  readonly rows: readonly JobRow[]
  readonly signed: Pick<JobRow, 'state' | 'nonce' | 'txHash'>
}

/** Writes the jobs of a new transaction. @throws `JobWithdrawn` if one of them is gone */
async function writeSigned(
  { inbox }: LaneContext,
  trx: Transaction<Database>,
  { rows, signed }: Signed,
): Promise<void> {
  const idsOf = (some: readonly JobRow[]) => some.map(({ id }) => id)
  const accepted = rows.filter(({ id }) => inbox?.has(id))
  const stored = idsOf(rows.filter((row) => !accepted.includes(row)))
  if (stored.length > 0) {
    const sent = await trx
      .updateTable('job')
      .set(signed)
      .where('id', 'in', stored)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    if (sent.numUpdatedRows !== BigInt(stored.length)) throw new JobWithdrawn()
  }
  if (accepted.length === 0) return
  const values = accepted.map((row) => ({ ...row, ...signed }))
  await trx.insertInto('job').values(values).execute()
  // Last, so that nothing but the commit itself can still fail.
  if (!inbox?.take(idsOf(accepted))) throw new JobWithdrawn()
}

/** Ends jobs that were never signed, and frees their idempotency keys. */
export async function refuse(
  context: LaneContext,
  rows: readonly JobRow[],
  failure: Failure,
): Promise<void> {
  const { store, lane, lease, callers, inbox } = context
  const result = { kind: 'failed', failure } as const
  const ids = rows.map(({ id }) => id)
  await store.commit(async (trx) => {
    await requireLease(trx, lane, lease)
    const ended = { ...resultToRow(result), key: null }
    const accepted = rows.filter(({ id }) => inbox?.take([id])).map((row) => ({ ...row, ...ended }))
    if (accepted.length > 0) await trx.insertInto('job').values(accepted).execute()
    await trx
      .updateTable('job')
      .set(ended)
      .where('id', 'in', ids)
      .where('state', '=', 'queued')
      .execute()
    await store.announce(trx, lane)
  })
  const { code } = failure
  const refused = laneJobsOf(rows).map((job) => ({ ...job, state: 'failed', code }) as const)
  context.observe({ kind: 'refused', jobs: refused })
  callers.resolve(new Map(ids.map((id) => [id, result])))
}
