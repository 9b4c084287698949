import { transferGas } from '../../platform/nodes/receipt-fault.ts'
import { cancel } from './fees/raise-price.ts'
import { emptyTransfer } from './fees/send-replacement.ts'
import { dayOf } from './fees/spend-limit.ts'
import { readJobs } from './job-row.ts'
import type { LaneContext } from './lane-context.ts'
import type { PendingSlots } from './pending-slots.ts'
import { readSlots, type Slot } from './slots.ts'

/**
 * Closes a gap below the open slots: reopens the stored slot of its nonce, or fills the nonce. A gap
 * below a nonce that a confirmed block used, and no reorganisation undid, is an error of the node.
 */
export async function closeGap(
  context: LaneContext,
  pending: PendingSlots,
  nonce: number,
): Promise<boolean> {
  const [stored] = await readSlots(context.store.db, context.lane, { nonce })
  if (stored !== undefined && (await hasItsJobs(context, stored))) {
    pending.set({ ...stored, state: 'open' })
    return true
  }
  if (stored === undefined && (await hasSettledAbove(context, nonce))) return false
  return fillNonce(context, pending, stored ?? { nonce, gas: transferGas, attempts: [] })
}

/** Returns whether the jobs of a slot did not move to another nonce, where they may have been done. */
async function hasItsJobs({ store }: LaneContext, slot: Slot): Promise<boolean> {
  const rows = await readJobs(store.db, slot)
  return slot.jobs.length === 0 || rows.some(({ nonce }) => nonce === slot.nonce)
}

async function hasSettledAbove({ store, lane }: LaneContext, nonce: number): Promise<boolean> {
  const above = store.db
    .selectFrom('slot')
    .select('nonce')
    .where('lane', '=', lane)
    .where('state', '=', 'settled')
    .where('nonce', '>', nonce)
  return (await above.limit(1).executeTakeFirst()) !== undefined
}

/**
 * Fills a nonce with an empty transfer: a gap below the open slots, or one freed by a reorg. Returns
 * `false` where a bound of cancellations forbids the price that nodes ask.
 */
export async function fillNonce(
  context: LaneContext,
  pending: PendingSlots,
  { nonce, gas, attempts }: Pick<Slot, 'nonce' | 'gas' | 'attempts'>,
): Promise<boolean> {
  const now = context.now()
  const slot: Slot = {
    ...emptyTransfer(context.wallet.address),
    nonce,
    gas,
    attempts,
    state: 'open',
    jobs: [],
    block: undefined,
    reserved: 0n,
    day: dayOf(now),
    signedAt: now,
  }
  const fees = await context.client.estimateFeesPerGas()
  return cancel(context, pending, { slot, fees })
}
