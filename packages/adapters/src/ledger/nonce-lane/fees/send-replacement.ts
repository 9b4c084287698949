import type { Hex } from 'viem'
import { transferGas } from '../../../platform/nodes/receipt-fault.ts'
import { requireLease } from '../../../store/store.ts'
import type { Call } from '../job.ts'
import { readJobs } from '../job-row.ts'
import type { LaneContext } from '../lane-context.ts'
import { type LaneJob, laneJobsOf } from '../lane-event.ts'
import type { PendingSlots } from '../pending-slots.ts'
import {
  type Attempt,
  insertAttempt,
  maxCost,
  type Slot,
  sendLatest,
  signAttempt,
  transactionOf,
  upsertSlot,
} from '../slots.ts'
import { requireBudgetCallLimit } from './key-budgets.ts'
import { type Fees, larger } from './replacement-price.ts'
import { requireCallLimit, type SpendLimits, spend } from './spend-limit.ts'

/** Sends the newest attempt of a slot, and remembers it if the node refuses these very bytes. */
export async function send(
  context: LaneContext,
  { refused }: PendingSlots,
  { slot, jobs }: { readonly slot: Slot; readonly jobs: readonly LaneJob[] },
): Promise<void> {
  const latest = slot.attempts.at(-1)
  if (latest === undefined || !(await sendLatest(context, slot, jobs))) return
  refused.set(slot.nonce, new Set(refused.get(slot.nonce)).add(latest.hash))
}

/** Returns a transfer of nothing from a wallet to itself. */
export const emptyTransfer = (to: Hex): Call => ({ to, data: '0x', value: 0n })

type Replacement = {
  readonly slot: Slot
  readonly price: Fees
  readonly cancels: boolean
  /** The limits that apply; no limit applies when absent. */
  readonly limits?: SpendLimits | undefined
}

/** Signs another transaction under the nonce of a slot, makes it durable and sends it. */
export async function sendReplacement(
  context: LaneContext,
  pending: PendingSlots,
  replacement: Replacement,
): Promise<void> {
  const { slot, price, cancels, limits } = replacement
  const { to, data, value } = cancels ? emptyTransfer(context.wallet.address) : slot
  const pricing = { ...price, gas: cancels ? transferGas : slot.gas }
  // Any attempt may be the one that is mined, so the most expensive one is reserved.
  const reserved = larger(slot.reserved, maxCost(value, pricing))
  if (limits !== undefined) requireCallLimit(limits, reserved / BigInt(slot.jobs.length || 1))
  const { chainId, now } = context
  const transaction = { to, data, value, ...pricing, chainId, nonce: slot.nonce }
  const attempt = await signAttempt(context.wallet, transaction, { cancels, now: now() })
  const next: Slot = { ...slot, reserved, attempts: [...slot.attempts, attempt] }
  const jobs = await record(context, { before: slot, next, attempt, limits })
  pending.set(next)
  pending.unreplaced.delete(slot.nonce)
  pending.sentAt.set(slot.nonce, { time: now(), height: pending.sentAt.get(slot.nonce)?.height })
  context.observe({ kind: cancels ? 'cancelled' : 'replaced', ...transactionOf(next, jobs) })
  await send(context, pending, { slot: next, jobs })
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
