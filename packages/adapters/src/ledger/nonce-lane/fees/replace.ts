import { memoize } from '../../../platform/memoize.ts'
import { closeGap } from '../close-gap.ts'
import { readJobs } from '../job-row.ts'
import type { LaneContext } from '../lane-context.ts'
import { laneJobsOf } from '../lane-event.ts'
import type { PendingSlots } from '../pending-slots.ts'
import { doEach } from '../report-errors.ts'
import { type Slot, transactionOf } from '../slots.ts'
import { cancel, raise } from './raise-price.ts'
import type { Fees } from './replacement-price.ts'
import { send } from './send-replacement.ts'

/** The number of different bytes of one nonce that a node must refuse before they are cancelled. */
const mostRefused = 2

/**
 * Gets the open slots mined that are overdue: closes the gap below the first one, or replaces it if it
 * is stuck, and replaces those behind it whose price the chain takes no more. Resends every open slot
 * that was not sent for a while. Slots whose nonce the chain has used wait for their receipts only.
 */
export async function replace(
  context: LaneContext,
  pending: PendingSlots,
  { count, height }: { readonly count: number; readonly height: bigint },
): Promise<void> {
  const waiting = () => pending.open().filter(({ nonce }) => nonce >= count)
  const market = memoize(() => context.client.estimateFeesPerGas())
  await doEach(context, waiting(), async (slot) => {
    if (!isOverdue(context, slot)) return false
    const [first] = waiting()
    // No block can take the open slots while the chain waits for a nonce below them.
    if (slot === first && slot.nonce > count) return closeGap(context, pending, count)
    const stuck = { slot, height, market }
    const isDue = slot === first ? isStuck(context, pending, stuck) : isTooCheap(pending, stuck)
    return (await isDue) && replaceStuck(context, pending, stuck)
  })
  for (const slot of waiting()) await resendIfDue(context, pending, { slot, height })
}

/** Returns whether a block was mined since a slot was looked at, whose price is too high for the slot. */
function isTooCheap({ head, sentAt }: PendingSlots, { slot, height }: SlotAtHeight): boolean {
  const price = slot.attempts.at(-1)?.maxFeePerGas ?? 0n
  return (head?.baseFeePerGas ?? 0n) > price && height > (sentAt.get(slot.nonce)?.height ?? height)
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

/** Returns whether the bytes of a slot are due again: the older they are, the more rarely. */
function isResendDue(
  { now, resendAfter, stuckAfter }: LaneContext,
  { sentAt }: PendingSlots,
  { nonce, attempts }: Slot,
): boolean {
  const age = now() - (attempts.at(-1)?.signedAt ?? 0)
  const interval = Math.max(resendAfter, Math.min(age / 8, stuckAfter))
  return now() - (sentAt.get(nonce)?.time ?? Number.NEGATIVE_INFINITY) >= interval
}

async function resend(context: LaneContext, pending: PendingSlots, slot: Slot): Promise<void> {
  const { sentAt } = pending
  sentAt.set(slot.nonce, { time: context.now(), height: sentAt.get(slot.nonce)?.height })
  const jobs = laneJobsOf(await readJobs(context.store.db, slot))
  context.observe({ kind: 'resent', ...transactionOf(slot, jobs) })
  await send(context, pending, { slot, jobs })
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

type StuckSlot = SlotAtHeight & { readonly market: () => Promise<Fees> }

/**
 * Signs the same call at a higher price and sends it. Cancels it instead after `cancelAfter`, once a
 * node refused it at two prices, and after `cancelDearAfter` where its bounds forbid the price that the
 * chain asks: all writes behind it wait.
 */
async function replaceStuck(
  context: LaneContext,
  pending: PendingSlots,
  { slot, height, market }: StuckSlot,
): Promise<boolean> {
  const time = pending.sentAt.get(slot.nonce)?.time ?? Number.NEGATIVE_INFINITY
  pending.sentAt.set(slot.nonce, { time, height })
  const fees = await market()
  const age = context.now() - slot.signedAt
  const refused = pending.refused.get(slot.nonce)?.size ?? 0
  if (!isCancelling(slot) && age < context.cancelAfter && refused < mostRefused) {
    if (await raise(context, pending, { slot, fees })) return true
    if (age < context.cancelDearAfter) return false
  }
  return cancel(context, pending, { slot, fees })
}

const isCancelling = ({ attempts }: Slot): boolean => attempts.at(-1)?.cancels === true
