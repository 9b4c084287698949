import type { Crew } from './lane-context.ts'
import { orMissing, receiptOf } from './receipts.ts'
import type { Followed, Head } from './pending-slots.ts'
import { fill, largest } from './replace.ts'
import { jobsOf } from './job-row.ts'
import { costliest, markSlot, readSlots, type Slot } from './slots.ts'
import { spend } from './spend-limit.ts'
import { fence } from '../../job-store/job-store.ts'

/** Tells whether the last head seen is no longer part of the chain. */
export async function isReorganised(
  { client, reorgDepth }: Crew,
  last: Head | undefined,
  head: Head,
): Promise<boolean> {
  if (reorgDepth === 0 || last === undefined || last.hash === head.hash) return false
  if (head.number <= last.number) return true
  if (head.number === last.number + 1n) return head.parentHash !== last.hash
  // A node that has no block there any more has changed its mind as well.
  const there = await orMissing(client.getBlock({ blockNumber: last.number }))
  return there?.hash !== last.hash
}

/** Returns all that was decided in blocks that may be gone. */
export function inDoubt({ store, lane, reorgDepth }: Crew, { number }: Head) {
  const sinceBlock = Math.max(0, Number(number) - reorgDepth)
  return readSlots(store.db, lane, { states: ['settled', 'lost'], sinceBlock })
}

/** Asks the chain again about what is in doubt, one after another: an error keeps only the rest in doubt. */
export async function recheck(crew: Crew, memory: Followed): Promise<void> {
  if (memory.doubted.length === 0) return
  const { address } = crew.wallet
  const count = await crew.client.getTransactionCount({ address })
  for (const slot of memory.doubted) {
    if (!(await stands(crew, slot, count))) await reopen(crew, memory, slot)
    memory.doubted = memory.doubted.filter((other) => other !== slot)
  }
}

async function stands(crew: Crew, slot: Slot, count: number): Promise<boolean> {
  const receipt = await receiptOf(crew, slot)
  if (receipt !== undefined) return receipt.blockHash === slot.block?.hash
  return slot.state === 'lost' && slot.nonce < count
}

/** Takes back what was decided about a slot. Jobs that went on under another nonce stay there. */
async function reopen(crew: Crew, memory: Followed, slot: Slot): Promise<void> {
  const { store, lane, lease } = crew
  const jobs = await jobsOf(store.db, slot)
  const mine = jobs.filter(({ nonce }) => nonce === slot.nonce).map(({ id }) => id)
  // Its old bytes must not be mined now: they would do again what is done under another nonce.
  if (slot.jobs.length > 0 && mine.length === 0) return fill(crew, memory, slot)
  const reserved = slot.attempts
    .map((attempt) => costliest(slot.value, { ...attempt, gas: slot.gas }))
    .reduce(largest, 0n)
  const reopened: Slot = { ...slot, state: 'open', block: undefined, reserved }
  await store.commit(async (trx) => {
    await fence(trx, lane, lease)
    await spend(trx, { lane, day: slot.day, rows: jobs, before: slot.reserved, after: reserved })
    await markSlot(trx, lane, reopened)
    if (mine.length === 0) return
    const again = { state: 'sent', outcome: null } as const
    await trx.updateTable('job').set(again).where('id', 'in', mine).execute()
  })
  memory.receipts.delete(slot.nonce)
  memory.sentAt.delete(slot.nonce)
  memory.keep(reopened)
}
