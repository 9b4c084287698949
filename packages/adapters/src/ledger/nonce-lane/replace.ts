import { isFailure } from '@heirloom/core'
import type { Hex } from 'viem'
import { refuseBeyondBudget } from './key-budgets.ts'
import type { Crew } from './lane-context.ts'
import type { Followed } from './pending-slots.ts'
import type { Call } from './job.ts'
import { jobsOf } from './job-row.ts'
import {
  type Attempt,
  costliest,
  type Pricing,
  readSlots,
  type Slot,
  sendNewest,
  sign,
  writeAttempt,
  writeSlot,
} from './slots.ts'
import { dayOf, type Limits, refuseDearCall, spend } from './spend-limit.ts'
import { fence } from '../../job-store/job-store.ts'

/** What a replacement pays over what it replaces: nodes take none that adds less than a tenth. */
const raise = { numerator: 9n, denominator: 8n }

/** How many times the first price of gas replacements may reach. */
const priceCap = 16n

/** What a transfer of nothing takes. */
const transferGas = 21_000n

/** Sends again what the chain seems to have forgotten, and replaces what it does not take. */
export async function push(
  crew: Crew,
  memory: Followed,
  { count, height }: { readonly count: number; readonly height: bigint },
): Promise<void> {
  const [first] = memory.open()
  if (first === undefined) return
  if (isOverdue(crew, first)) {
    // No block can take what is open while the chain waits for a nonce below.
    if (first.nonce > count) await close(crew, memory, count)
    else if (await isStuck(crew, memory, { slot: first, height })) {
      await replace(crew, memory, { slot: first, height })
    }
  }
  for (const slot of memory.open()) await resend(crew, memory, { slot, height })
}

/** Closes a gap below the open slots: with what is kept for its nonce, or else with nothing. */
async function close(crew: Crew, memory: Followed, nonce: number): Promise<void> {
  const [kept] = await readSlots(crew.store.db, crew.lane, { nonce })
  if (kept === undefined) return fill(crew, memory, { nonce, attempts: [] })
  memory.keep({ ...kept, state: 'open', block: undefined })
}

type Sent = { readonly slot: Slot; readonly height: bigint }

async function resend(crew: Crew, memory: Followed, { slot, height }: Sent): Promise<void> {
  const last = memory.sentAt.get(slot.nonce)
  const time = last?.time ?? Number.NEGATIVE_INFINITY
  memory.sentAt.set(slot.nonce, { time, height: last?.height ?? height })
  if (isDue(crew, memory, slot)) await sendAgain(crew, memory, slot)
}

/** Tells whether a slot was not sent for a while. */
function isDue({ now, resendAfter }: Crew, { sentAt }: Followed, { nonce }: Slot): boolean {
  return now() - (sentAt.get(nonce)?.time ?? Number.NEGATIVE_INFINITY) >= resendAfter
}

async function sendAgain(crew: Crew, { sentAt }: Followed, slot: Slot): Promise<void> {
  sentAt.set(slot.nonce, { time: crew.now(), height: sentAt.get(slot.nonce)?.height })
  crew.observe({ kind: 'resent' })
  await sendNewest(crew, slot)
}

const isOverdue = ({ now, stuckAfter }: Crew, { attempts }: Slot): boolean =>
  now() - (attempts.at(-1)?.signedAt ?? 0) >= stuckAfter

/**
 * Tells whether blocks pass a slot by, or the node does not mean to mine it. On a chain that makes
 * no blocks nothing else is stuck: a higher price would not change that.
 */
async function isStuck(crew: Crew, memory: Followed, { slot, height }: Sent): Promise<boolean> {
  if (height > (memory.sentAt.get(slot.nonce)?.height ?? height)) return true
  // Asked as often as it is sent again: a node may not have looked yet at what it took.
  if (!isDue(crew, memory, slot)) return false
  const { address } = crew.wallet
  return (await crew.client.getTransactionCount({ address, blockTag: 'pending' })) <= slot.nonce
}

/** Signs the same call, or after long enough nothing at all, at a higher price under the same nonce. */
async function replace(crew: Crew, memory: Followed, { slot, height }: Sent): Promise<void> {
  const { now, cancelAfter, limits } = crew
  const cancels = slot.attempts.at(-1)?.cancels === true || now() - slot.signedAt >= cancelAfter
  memory.sentAt.set(slot.nonce, { time: now(), height })
  const pricing = await raised(crew, slot)
  if (pricing === undefined) return sendAgain(crew, memory, slot)
  try {
    await sendInstead(crew, memory, {
      slot,
      pricing,
      cancels,
      limits: cancels ? undefined : limits,
    })
  } catch (error) {
    // What may be spent comes before getting it mined.
    if (!isFailure(error)) throw error
    await sendAgain(crew, memory, slot)
  }
}

/** Fills a nonce below the open slots, or one that a reorganisation has freed, with nothing. */
export async function fill(
  crew: Crew,
  memory: Followed,
  { nonce, attempts }: Pick<Slot, 'nonce' | 'attempts'>,
): Promise<void> {
  const now = crew.now()
  const slot: Slot = {
    ...nothingFor(crew.wallet.address),
    ...{ nonce, attempts, state: 'open', jobs: [], gas: transferGas, block: undefined },
    ...{ reserved: 0n, day: dayOf(now), signedAt: now },
  }
  const pricing = await raised(crew, slot)
  if (pricing === undefined) return
  await sendInstead(crew, memory, { slot, pricing, cancels: true })
}

const nothingFor = (to: Hex): Call => ({ to, data: '0x', value: 0n })

type Replacement = {
  readonly slot: Slot
  readonly pricing: Pricing
  readonly cancels: boolean
  /** What is refused; nothing when absent. */
  readonly limits?: Limits | undefined
}

async function sendInstead(crew: Crew, memory: Followed, it: Replacement): Promise<void> {
  const { slot, cancels, limits } = it
  const { to, data, value } = cancels ? nothingFor(crew.wallet.address) : slot
  const pricing = cancels ? { ...it.pricing, gas: transferGas } : it.pricing
  // Any of them may be the one that is mined, so the budget holds the dearest.
  const reserved = largest(slot.reserved, costliest(value, pricing))
  if (limits !== undefined) refuseDearCall(limits, reserved / BigInt(slot.jobs.length || 1))
  const { chainId, now } = crew
  const transaction = { to, data, value, ...pricing, chainId, nonce: slot.nonce }
  const attempt = await sign(crew.wallet, transaction, { cancels, now: now() })
  const next: Slot = { ...slot, reserved, attempts: [...slot.attempts, attempt] }
  await record(crew, { before: slot, next, attempt, limits })
  memory.keep(next)
  crew.observe({ kind: cancels ? 'cancelled' : 'replaced' })
  await sendNewest(crew, next)
}

type Change = {
  readonly before: Slot
  readonly next: Slot
  readonly attempt: Attempt
  readonly limits: Limits | undefined
}

function record(
  { store, lane, lease }: Crew,
  { before, next, attempt, limits }: Change,
): Promise<void> {
  const { nonce, day, jobs } = next
  return store.commit(async (trx) => {
    await fence(trx, lane, lease)
    const rows = await jobsOf(trx, next)
    const [was, is] = [before.reserved, next.reserved]
    if (limits !== undefined) refuseBeyondBudget(rows, is / BigInt(jobs.length || 1))
    await spend(trx, { lane, day, rows, before: was, after: is, limits })
    await writeSlot(trx, lane, next)
    await writeAttempt(trx, lane, { nonce, attempt })
    if (jobs.length === 0) return
    const renamed = { txHash: attempt.hash }
    await trx.updateTable('job').set(renamed).where('id', 'in', jobs).execute()
  })
}

/** Returns a price that nodes take instead of the last one; `undefined` when it would pass the cap. */
async function raised({ client }: Crew, { gas, attempts }: Slot): Promise<Pricing | undefined> {
  const market = await client.estimateFeesPerGas()
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (first === undefined || last === undefined) return { ...market, gas }
  const above = (price: bigint) => (price * raise.numerator) / raise.denominator + 1n
  const maxFeePerGas = largest(above(last.maxFeePerGas), market.maxFeePerGas)
  if (maxFeePerGas > first.maxFeePerGas * priceCap) return undefined
  const tip = largest(above(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return { gas, maxFeePerGas, maxPriorityFeePerGas: tip }
}

/** Returns the larger of two amounts. */
export function largest(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
