import { Failure, type Wei, wei } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import { transferGas } from '../../platform/nodes/receipt-fault.ts'
import { requireLease } from '../../store/store.ts'
import {
  findForeign,
  findReceipt,
  isCancelled,
  isUsed,
  revertReason,
  type Sight,
} from './answers/receipts.ts'
import { isConfirmed } from './answers/second-look.ts'
import { highestPrice } from './fees/replacement-price.ts'
import { spend } from './fees/spend-limit.ts'
import { decodeEvents, type LaneOperation, type Outcome } from './job.ts'
import { type JobRow, readJobs, resultsOf, resultToRow, unsigned, writeResults } from './job-row.ts'
import type { LaneContext } from './lane-context.ts'
import { laneJobsOf, type SettledTransaction } from './lane-event.ts'
import type { PendingSlots } from './pending-slots.ts'
import { type Slot, transactionOf, updateSlot } from './slots.ts'

type SlotAtHeight = { readonly slot: Slot; readonly height: bigint }

/**
 * Marks an open slot, whose nonce the chain has used, as mined, or as lost to another transaction.
 * Returns `false` while the chain shows neither.
 */
export async function decideOpenSlot(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height, found }: SlotAtHeight & { readonly found: Sight },
): Promise<boolean> {
  const receipt = found ?? (await findReceipt(context, slot))
  if (receipt === 'wrong') return false
  if (receipt === undefined) return loseIfTaken(context, pending, { slot, height })
  // A reorganisation is detected against the last head seen: a block above it does not count yet.
  if (receipt.blockNumber > height) return false
  if (!(await isConfirmed(context, pending, { slot, receipt }))) return false
  pending.receipts.set(slot.nonce, receipt)
  pending.failures.delete(slot.nonce)
  pending.withoutReceipt.delete(slot.nonce)
  pending.set({ ...slot, state: 'mined', block: blockOf(receipt) })
  const waited = Math.max(0, context.now() - (slot.attempts.at(-1)?.signedAt ?? 0))
  pending.averageWait = 0.8 * pending.averageWait + 0.2 * waited
  return true
}

/** Marks a slot as lost whose nonce another transaction has used; returns `false` where none is seen. */
async function loseIfTaken(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height }: SlotAtHeight,
): Promise<boolean> {
  if (!isSearchDue(context, pending, slot)) return false
  if (!(await isUsed(context, slot.nonce, height))) return false
  pending.withoutReceipt.set(slot.nonce, context.now() + context.stuckAfter)
  const foreign = await findForeign(context, slot, height)
  // Nothing is lost with a slot without jobs: a wrong count made the lane fill a nonce of long ago.
  if (foreign === undefined && slot.jobs.length > 0) return false
  if (foreign !== undefined) context.rivals.see(foreign)
  await loseNonce(context, pending, { slot, height })
  return true
}

/**
 * Returns whether another transaction under the nonce of a slot is looked for now. Not when the chain
 * counts the nonce for the first time: a node counts a transaction a moment before it shows the receipt.
 * A slot without jobs has time, and so has one after a search that found nothing.
 */
function isSearchDue(
  { now, stuckAfter }: LaneContext,
  { withoutReceipt }: PendingSlots,
  { nonce, jobs }: Slot,
): boolean {
  const at = withoutReceipt.get(nonce)
  if (at === undefined) withoutReceipt.set(nonce, now() + (jobs.length === 0 ? stuckAfter : 0))
  return at !== undefined && now() >= at
}

const blockOf = ({ blockNumber: number, blockHash: hash }: TransactionReceipt) => ({ number, hash })

/** Marks a slot whose nonce another transaction used as lost, and queues its jobs again. */
async function loseNonce(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height }: SlotAtHeight,
): Promise<void> {
  const { store, lane, lease } = context
  const block = { number: height, hash: pending.head?.hash ?? '0x' } as const
  const lost: Slot = { ...slot, state: 'lost', reserved: 0n, block }
  const jobs = await store.commit(async (trx) => {
    await requireLease(trx, lane, lease)
    const rows = await readJobs(trx, slot)
    await spend(trx, { lane, day: slot.day, rows, before: slot.reserved, after: 0n })
    await updateSlot(trx, lane, lost)
    if (slot.jobs.length === 0) return []
    await trx
      .updateTable('job')
      .set(unsigned)
      .where('id', 'in', slot.jobs)
      .where('nonce', '=', slot.nonce)
      .execute()
    return laneJobsOf(rows.map((row) => ({ ...row, ...unsigned })))
  })
  if (context.inbox) context.inbox.mayBeStored = true
  context.known.forgetNonce()
  pending.withoutReceipt.delete(slot.nonce)
  pending.set(lost)
  context.observe({ kind: 'lost', ...transactionOf(slot, jobs) })
}

/**
 * Ends the jobs of a mined slot once its block has enough confirmations, and returns `false` until
 * then. A slot whose block was undone is looked up again.
 */
export async function settle(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height }: SlotAtHeight,
): Promise<boolean> {
  const receipt = pending.receipts.get(slot.nonce)
  if (receipt === undefined) {
    pending.set({ ...slot, state: 'open' })
    return true
  }
  if (height - receipt.blockNumber + 1n < BigInt(context.confirmations)) return false
  const reason = await revertReason(context, slot, receipt)
  const settled: Slot = {
    ...slot,
    state: 'settled',
    block: blockOf(receipt),
    reserved: actualCost(slot, receipt),
  }
  const rows = await record(context, { slot, settled, receipt, reason })
  if (context.inbox && rows.some(({ state }) => state === 'queued'))
    context.inbox.mayBeStored = true
  pending.receipts.delete(slot.nonce)
  pending.sentAt.delete(slot.nonce)
  pending.set(settled)
  const at = context.now()
  const waited = Math.max(0, ...rows.map(({ acceptedAt }) => at - acceptedAt))
  pending.lastSettled = { jobs: rows.length, at, waited }
  context.observe({ kind: 'settled', ...settledTransaction(slot, receipt, rows), waited })
  context.callers.resolve(resultsOf(rows))
  return true
}

const settledTransaction = (
  { nonce, attempts, signedAt }: Slot,
  { transactionHash: txHash, blockNumber: block }: TransactionReceipt,
  rows: readonly JobRow[],
): SettledTransaction => ({
  txHash,
  nonce,
  block,
  signedAt,
  attempts: attempts.length,
  jobs: laneJobsOf(rows),
})

/**
 * Returns the cost of a mined transaction as its receipt says, in wei: at most what its bytes allow, and
 * that where the receipt does not say, so that no wrong receipt uses up the budget of a day.
 */
function actualCost(slot: Slot, receipt: TransactionReceipt): bigint {
  const { gasUsed, effectiveGasPrice, status, transactionHash } = receipt
  const mined = slot.attempts.find(({ hash }) => hash === transactionHash)
  const gas = mined?.cancels ? transferGas : slot.gas
  const paid = status === 'success' && !mined?.cancels ? slot.value : 0n
  const price = atMost(effectiveGasPrice, mined?.maxFeePerGas ?? effectiveGasPrice)
  return atMost(gasUsed, gas) * price + paid
}

// A node may leave the figure out, whatever the type says.
const atMost = (figure: bigint | null, most: bigint): bigint =>
  figure === null || figure > most ? most : figure

type Settlement = {
  readonly slot: Slot
  readonly settled: Slot
  readonly receipt: TransactionReceipt
  readonly reason: Failure | undefined
}

// The commit may be lazy: what a power failure undoes can be read from the chain again.
function record(context: LaneContext, settlement: Settlement): Promise<readonly JobRow[]> {
  const { store, lane, lease, memory } = context
  const { slot, settled, receipt } = settlement
  return store.commit(async (trx) => {
    await requireLease(trx, lane, lease)
    const jobs = slot.rows ?? (await readJobs(trx, slot))
    const [before, after] = [slot.reserved, settled.reserved]
    await spend(trx, { lane, day: slot.day, rows: jobs, before, after, memory })
    await updateSlot(trx, lane, settled)
    const events = jobs[0] ? decodeEvents(jobs[0].operation as LaneOperation, receipt.logs) : []
    const rows = jobs.map((job, index) => settledRow(job, settlement, events[index]))
    await writeResults(trx, rows)
    await store.announce(trx, lane)
    return rows
  }, 'lazily')
}

/**
 * Returns the price per unit of gas that the first cancellation of a slot needed and the highest that
 * the write could have, where that kept it from the chain; nothing where it did not.
 */
function pricesOf(slot: Slot): { readonly needed?: Wei; readonly limit?: Wei } {
  const needed = slot.attempts.find(({ cancels }) => cancels)?.maxFeePerGas ?? 0n
  const limit = highestPrice(slot) ?? needed
  return needed > limit ? { needed: wei(needed), limit: wei(limit) } : {}
}

/** Returns the row of a job whose transaction is settled. */
function settledRow(
  job: JobRow,
  { slot, receipt, reason }: Settlement,
  event: ReturnType<typeof decodeEvents>[number] | undefined,
): JobRow {
  const txHash = receipt.transactionHash
  if (isCancelled(slot, receipt)) {
    const failure = new Failure('transaction/cancelled', { txHash, ...pricesOf(slot) })
    return { ...job, ...resultToRow({ kind: 'failed', failure }), key: null }
  }
  if (reason === undefined) {
    const acceptedAt = job.acceptedAt as Outcome['acceptedAt']
    const outcome = { txHash, acceptedAt, data: job.data, ...event }
    return { ...job, ...resultToRow({ kind: 'done', outcome }) }
  }
  // The revert does not say which of several jobs caused it, so each is simulated again.
  if (slot.jobs.length > 1) return { ...job, ...unsigned }
  return { ...job, ...resultToRow({ kind: 'failed', failure: reason }), txHash }
}
