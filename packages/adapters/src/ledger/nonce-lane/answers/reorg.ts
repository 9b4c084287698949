import { requireLease } from '../../../store/store.ts'
import { fillNonce } from '../close-gap.ts'
import { larger } from '../fees/replacement-price.ts'
import { spend } from '../fees/spend-limit.ts'
import { readJobs } from '../job-row.ts'
import type { LaneContext } from '../lane-context.ts'
import type { Head, PendingSlots } from '../pending-slots.ts'
import { doEach } from '../report-errors.ts'
import { maxCost, readSlots, type Slot, updateSlot } from '../slots.ts'
import { blockIfKnown, findReceipt, type Sight } from './receipts.ts'

/** Returns whether the last head seen is no longer part of the chain. */
export async function isReorganised(
  { client, reorgDepth }: LaneContext,
  last: Head | undefined,
  head: Head,
): Promise<boolean> {
  if (reorgDepth === 0 || last === undefined || last.hash === head.hash) return false
  if (head.number <= last.number) return true
  if (head.number === last.number + 1n) return head.parentHash !== last.hash
  // A node without a block at that height has changed its chain as well.
  const block = await blockIfKnown(client.getBlock({ blockNumber: last.number }))
  return block?.hash !== last.hash
}

/** Returns the slots that were decided within the depth of a reorganisation. */
export function readRevertibleSlots(
  { store, lane, reorgDepth }: LaneContext,
  { number }: Head,
): Promise<readonly Slot[]> {
  const sinceBlock = Math.max(0, Number(number) - reorgDepth)
  return readSlots(store.db, lane, { states: ['settled', 'lost'], sinceBlock })
}

/** The most slots that one look at the chain checks: a node may report a reorganisation at each look. */
const mostChecked = 4

/**
 * Checks some of the slots to recheck, and reopens those undone. One whose check tells nothing is
 * checked again after the others.
 */
export async function recheckSlots(context: LaneContext, pending: PendingSlots): Promise<void> {
  if (pending.toRecheck.length === 0) return
  const { address } = context.wallet
  const count = await context.client.getTransactionCount({ address })
  await doEach(context, pending.toRecheck.slice(0, mostChecked), async (seen) => {
    const others = pending.toRecheck.filter((other) => other !== seen)
    pending.toRecheck = [...others, seen]
    // A gap may have opened it meanwhile, and sent it at another price: its stored attempts count.
    const slot = await readDecided(context, seen)
    if (slot === undefined) {
      pending.toRecheck = others
      return false
    }
    const isDecided = await isStillDecided(context, pending, { slot, count })
    // The node that answered lacks the block, and has newer ones: another answer will tell.
    if (isDecided === undefined) return false
    if (!isDecided) await reopen(context, pending, slot)
    pending.toRecheck = others
    return !isDecided
  })
}

/** Returns a slot as it is stored; `undefined` where it is open again. */
async function readDecided(
  { store, lane }: LaneContext,
  { nonce }: Slot,
): Promise<Slot | undefined> {
  const [slot] = await readSlots(store.db, lane, { states: ['settled', 'lost'], nonce })
  return slot
}

/**
 * Returns whether the chain still holds what decided a slot. Only another block in its place undoes it:
 * a node that lags behind has no receipt either.
 */
async function isStillDecided(
  context: LaneContext,
  { head }: PendingSlots,
  { slot, count }: { readonly slot: Slot; readonly count: number },
): Promise<boolean | undefined> {
  const decidedAt = slot.block?.number ?? 0n
  const found = await blockIfKnown(context.client.getBlock({ blockNumber: decidedAt }))
  if (found === undefined && (head?.number ?? 0n) >= decidedAt) return undefined
  if (found !== undefined && found.hash === slot.block?.hash) return true
  const sight = await findReceipt(context, slot)
  return sight === undefined ? slot.state === 'lost' && slot.nonce < count : isIn(sight, slot)
}

const isIn = (sight: Exclude<Sight, undefined>, { block }: Slot): boolean | undefined =>
  sight === 'wrong' ? undefined : sight.blockHash === block?.hash

/** Opens a decided slot again. Jobs that moved to another nonce stay there. */
async function reopen(context: LaneContext, pending: PendingSlots, slot: Slot): Promise<void> {
  const { store, lane, lease } = context
  const rows = await readJobs(store.db, slot)
  const ids = rows.filter(({ nonce }) => nonce === slot.nonce).map(({ id }) => id)
  // All of its jobs moved: its old attempts would execute them a second time.
  if (slot.jobs.length > 0 && ids.length === 0) {
    await fillNonce(context, pending, slot)
    return
  }
  const reserved = slot.attempts
    .map((attempt) => maxCost(slot.value, { ...attempt, gas: slot.gas }))
    .reduce(larger, 0n)
  // With its block, which tells a mint that was undone from one that was never mined.
  const reopened: Slot = { ...slot, state: 'open', reserved }
  await store.commit(async (trx) => {
    await requireLease(trx, lane, lease)
    await spend(trx, { lane, day: slot.day, rows, before: slot.reserved, after: reserved })
    await updateSlot(trx, lane, reopened)
    if (ids.length === 0) return
    const sent = { state: 'sent', outcome: null } as const
    await trx.updateTable('job').set(sent).where('id', 'in', ids).execute()
  })
  pending.receipts.delete(slot.nonce)
  pending.sentAt.delete(slot.nonce)
  pending.set(reopened)
}
