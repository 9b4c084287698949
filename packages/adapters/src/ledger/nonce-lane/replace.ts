import { isFailure } from '@heirloom/core'
import type { Hex } from 'viem'
import { requireLease } from '../../job-store/job-store.ts'
import type { Call } from './job.ts'
import { readJobs } from './job-row.ts'
import { requireBudgetCallLimit } from './key-budgets.ts'
import type { LaneContext } from './lane-context.ts'
import { type LaneJob, laneJobsOf } from './lane-event.ts'
import type { PendingSlots } from './pending-slots.ts'
import {
  type Attempt,
  insertAttempt,
  maxCost,
  type Pricing,
  readSlots,
  type Slot,
  sendLatest,
  signAttempt,
  transactionOf,
  upsertSlot,
} from './slots.ts'
import { dayOf, requireCallLimit, type SpendLimits, spend } from './spend-limit.ts'

/** The raise of a replacement: nodes refuse one that adds less than a tenth. */
const raise = { numerator: 9n, denominator: 8n }

/** The highest price of a replacement, as a multiple of the first price. */
const priceCap = 16n

/** The gas of an empty transfer. */
const transferGas = 21_000n

/**
 * Gets the first open slot mined once it is overdue: closes the gap below it, or replaces it if it
 * is stuck. Resends every open slot that was not sent for `resendAfter`.
 */
export async function replace(
  context: LaneContext,
  pending: PendingSlots,
  { count, height }: { readonly count: number; readonly height: bigint },
): Promise<void> {
  const [first] = pending.open()
  if (first === undefined) return
  if (isOverdue(context, first)) {
    // No block can take the open slots while the chain waits for a nonce below them.
    if (first.nonce > count) await closeGap(context, pending, count)
    else if (await isStuck(context, pending, { slot: first, height })) {
      await replaceStuck(context, pending, { slot: first, height })
    }
  }
  for (const slot of pending.open()) await resendIfDue(context, pending, { slot, height })
}

/** Closes a gap below the open slots: reopens the stored slot of its nonce, or fills the nonce. */
async function closeGap(context: LaneContext, pending: PendingSlots, nonce: number): Promise<void> {
  const [stored] = await readSlots(context.store.db, context.lane, { nonce })
  if (stored === undefined) return fillNonce(context, pending, { nonce, attempts: [] })
  pending.set({ ...stored, state: 'open', block: undefined })
}

type SlotAtHeight = { readonly slot: Slot; readonly height: bigint }

async function resendIfDue(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height }: SlotAtHeight,
): Promise<void> {
  const last = pending.sentAt.get(slot.nonce)
  const time = last?.time ?? Number.NEGATIVE_INFINITY
  pending.sentAt.set(slot.nonce, { time, height: last?.height ?? height })
  if (isResendDue(context, pending, slot)) await resend(context, pending, slot)
}

function isResendDue(
  { now, resendAfter }: LaneContext,
  { sentAt }: PendingSlots,
  { nonce }: Slot,
): boolean {
  return now() - (sentAt.get(nonce)?.time ?? Number.NEGATIVE_INFINITY) >= resendAfter
}

async function resend(context: LaneContext, { sentAt }: PendingSlots, slot: Slot): Promise<void> {
  sentAt.set(slot.nonce, { time: context.now(), height: sentAt.get(slot.nonce)?.height })
  const jobs = laneJobsOf(await readJobs(context.store.db, slot))
  context.observe({ kind: 'resent', ...transactionOf(slot, jobs) })
  await sendLatest(context, slot, jobs)
}

const isOverdue = ({ now, stuckAfter }: LaneContext, { attempts }: Slot): boolean =>
  now() - (attempts.at(-1)?.signedAt ?? 0) >= stuckAfter

/**
 * Returns whether a block was mined without the transaction, or the node does not intend to mine it. On a chain
 * that makes no blocks nothing else is stuck: a higher price would change nothing.
 */
async function isStuck(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height }: SlotAtHeight,
): Promise<boolean> {
  if (height > (pending.sentAt.get(slot.nonce)?.height ?? height)) return true
  // The node is asked only when a resend is due: it may not have processed the last one yet.
  if (!isResendDue(context, pending, slot)) return false
  const { address } = context.wallet
  const request = { address, blockTag: 'pending' } as const
  return (await context.client.getTransactionCount(request)) <= slot.nonce
}

/** Signs the same call at a higher price, or after `cancelAfter` a cancellation, and sends it. */
async function replaceStuck(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height }: SlotAtHeight,
): Promise<void> {
  const { now, cancelAfter, limits } = context
  const cancels = slot.attempts.at(-1)?.cancels === true || now() - slot.signedAt >= cancelAfter
  pending.sentAt.set(slot.nonce, { time: now(), height })
  const pricing = await raisePricing(context, slot)
  if (pricing === undefined) return resend(context, pending, slot)
  try {
    await sendReplacement(context, pending, {
      slot,
      pricing,
      cancels,
      limits: cancels ? undefined : limits,
    })
  } catch (error) {
    // A replacement beyond a spend limit is not sent.
    if (!isFailure(error)) throw error
    await resend(context, pending, slot)
  }
}

/** Fills a nonce with an empty transfer: a gap below the open slots, or one freed by a reorg. */
export async function fillNonce(
  context: LaneContext,
  pending: PendingSlots,
  { nonce, attempts }: Pick<Slot, 'nonce' | 'attempts'>,
): Promise<void> {
  const now = context.now()
  const slot: Slot = {
    ...emptyTransfer(context.wallet.address),
    ...{ nonce, attempts, state: 'open', jobs: [], gas: transferGas, block: undefined },
    ...{ reserved: 0n, day: dayOf(now), signedAt: now },
  }
  const pricing = await raisePricing(context, slot)
  if (pricing === undefined) return
  await sendReplacement(context, pending, { slot, pricing, cancels: true })
}

const emptyTransfer = (to: Hex): Call => ({ to, data: '0x', value: 0n })

type Replacement = {
  readonly slot: Slot
  readonly pricing: Pricing
  readonly cancels: boolean
  /** The limits that apply; no limit applies when absent. */
  readonly limits?: SpendLimits | undefined
}

async function sendReplacement(
  context: LaneContext,
  pending: PendingSlots,
  replacement: Replacement,
): Promise<void> {
  const { slot, cancels, limits } = replacement
  const { to, data, value } = cancels ? emptyTransfer(context.wallet.address) : slot
  const pricing = cancels ? { ...replacement.pricing, gas: transferGas } : replacement.pricing
  // Any attempt may be the one that is mined, so the most expensive one is reserved.
  const reserved = larger(slot.reserved, maxCost(value, pricing))
  if (limits !== undefined) requireCallLimit(limits, reserved / BigInt(slot.jobs.length || 1))
  const { chainId, now } = context
  const transaction = { to, data, value, ...pricing, chainId, nonce: slot.nonce }
  const attempt = await signAttempt(context.wallet, transaction, { cancels, now: now() })
  const next: Slot = { ...slot, reserved, attempts: [...slot.attempts, attempt] }
  const jobs = await record(context, { before: slot, next, attempt, limits })
  pending.set(next)
  context.observe({ kind: cancels ? 'cancelled' : 'replaced', ...transactionOf(next, jobs) })
  await sendLatest(context, next, jobs)
}

type Change = {
  readonly before: Slot
  readonly next: Slot
  readonly attempt: Attempt
  readonly limits: SpendLimits | undefined
}

function record(
  { store, lane, lease }: LaneContext,
  { before, next, attempt, limits }: Change,
): Promise<readonly LaneJob[]> {
  const { nonce, day, jobs, reserved } = next
  return store.commit(async (trx) => {
    await requireLease(trx, lane, lease)
    const rows = await readJobs(trx, next)
    if (limits !== undefined) requireBudgetCallLimit(rows, reserved / BigInt(jobs.length || 1))
    await spend(trx, { lane, day, rows, before: before.reserved, after: reserved, limits })
    await upsertSlot(trx, lane, next)
    await insertAttempt(trx, lane, { nonce, attempt })
    if (jobs.length === 0) return []
    await trx.updateTable('job').set({ txHash: attempt.hash }).where('id', 'in', jobs).execute()
    return laneJobsOf(rows)
  })
}

/** Returns a price that nodes accept for a replacement; `undefined` if it would exceed the cap. */
async function raisePricing(
  { client }: LaneContext,
  { gas, attempts }: Slot,
): Promise<Pricing | undefined> {
  const market = await client.estimateFeesPerGas()
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (first === undefined || last === undefined) return { ...market, gas }
  const raised = (price: bigint) => (price * raise.numerator) / raise.denominator + 1n
  const maxFeePerGas = larger(raised(last.maxFeePerGas), market.maxFeePerGas)
  if (maxFeePerGas > first.maxFeePerGas * priceCap) return undefined
  const tip = larger(raised(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return { gas, maxFeePerGas, maxPriorityFeePerGas: tip }
}

/** Returns the larger of two amounts. */
export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
