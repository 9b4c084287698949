import { type FailureCode, isFailure } from '@heirloom/core'
import { readJobs } from '../job-row.ts'
import type { LaneContext } from '../lane-context.ts'
import { laneJobsOf } from '../lane-event.ts'
import type { PendingSlots } from '../pending-slots.ts'
import { type Slot, transactionOf } from '../slots.ts'
import {
  boundsOfCancellation,
  boundsOfWrite,
  type Fees,
  type PriceBounds,
  priceWithin,
} from './replacement-price.ts'
import { sendReplacement } from './send-replacement.ts'

type AtFees = { readonly slot: Slot; readonly fees: Fees }

/** The failures of the limits of the wallet and of API keys. */
const limitCodes: readonly FailureCode[] = [
  'wallet/call-limit',
  'wallet/day-limit',
  'api-key/call-limit',
  'api-key/day-limit',
]

/** Replaces a transaction by the same call; returns `false` where a bound of its price forbids that. */
export async function raise(
  context: LaneContext,
  pending: PendingSlots,
  { slot, fees }: AtFees,
): Promise<boolean> {
  const bounds = boundsOfWrite(slot, fees)
  const { needed, limit = needed } = bounds
  const price = needed > limit ? undefined : priceWithin(slot, fees, bounds)
  if (price === undefined) {
    await reportUnreplaced(context, pending, { slot, bounds, cancels: false })
    return false
  }
  try {
    const { limits } = context
    await sendReplacement(context, pending, { slot, price, cancels: false, limits })
    return true
  } catch (error) {
    if (!isFailure(error) || !limitCodes.includes(error.code)) throw error
    const stays = { needed, limit: slot.attempts.at(-1)?.maxFeePerGas }
    await reportUnreplaced(context, pending, {
      slot,
      cancels: false,
      code: error.code,
      bounds: stays,
    })
    return false
  }
}

/** Cancels a transaction; returns `false` where a bound of cancellations forbids a higher price. */
export async function cancel(
  context: LaneContext,
  pending: PendingSlots,
  { slot, fees }: AtFees,
): Promise<boolean> {
  const bounds = boundsOfCancellation(slot, fees)
  const price = priceWithin(slot, fees, bounds)
  if (price !== undefined) await sendReplacement(context, pending, { slot, price, cancels: true })
  if (bounds.needed > (price?.maxFeePerGas ?? 0n)) {
    await reportUnreplaced(context, pending, { slot, bounds, cancels: true })
  }
  return price !== undefined
}

type Unraised = {
  readonly slot: Slot
  readonly bounds: PriceBounds
  readonly cancels: boolean
  readonly code?: FailureCode | undefined
}

/** Reports once that a bound keeps a slot from the price that is asked, and again for its cancellation. */
async function reportUnreplaced(
  { store, observe }: LaneContext,
  { unreplaced }: PendingSlots,
  { slot, bounds: { needed, limit = needed }, cancels, code }: Unraised,
): Promise<void> {
  if (unreplaced.get(slot.nonce) === cancels) return
  unreplaced.set(slot.nonce, cancels)
  const jobs = laneJobsOf(await readJobs(store.db, slot))
  observe({ kind: 'unreplaced', ...transactionOf(slot, jobs), needed, limit, code })
}
