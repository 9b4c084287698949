import type { Kysely, Selectable, Transaction } from 'kysely'
import { type Hex, keccak256, type LocalAccount, type PublicClient } from 'viem'
import type { Database, LaneId, SlotState } from '../../store/schema.ts'
import type { Lease } from '../../store/store.ts'
import { refusalOf } from './answers/node-refusal.ts'
import type { Call } from './job.ts'
import type { JobRow } from './job-row.ts'
import type { LaneEvent, LaneJob, LaneTransaction } from './lane-event.ts'

/** The gas limit of a transaction and its prices per unit of gas, in wei. */
export type Pricing = {
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A signed transaction of a slot. */
export type Attempt = Omit<Pricing, 'gas'> & {
  readonly hash: Hex
  readonly raw: Hex
  /** Whether it is an empty transfer that replaces the other attempts. */
  readonly cancels: boolean
  /** Milliseconds since 1970. */
  readonly signedAt: number
}

/** A nonce of the wallet, the call and jobs it is used for, and its attempts, oldest first. */
export type Slot = Call & {
  readonly nonce: number
  readonly state: SlotState
  readonly jobs: readonly string[]
  readonly gas: bigint
  readonly reserved: bigint
  readonly day: number
  readonly signedAt: number
  readonly block: { readonly number: bigint; readonly hash: Hex } | undefined
  readonly attempts: readonly Attempt[]
  /** Its jobs as the leader wrote them, until it is settled first; absent where they must be read. */
  readonly rows?: readonly JobRow[]
}

/** Returns the most that a transaction may cost, in wei. */
export const maxCost = (value: bigint, { gas, maxFeePerGas }: Pricing): bigint =>
  value + gas * maxFeePerGas

/** Signs a transaction and returns it as an attempt. */
export async function signAttempt(
  wallet: LocalAccount,
  transaction: Call & Pricing & { readonly chainId: number; readonly nonce: number },
  { cancels, now }: { readonly cancels: boolean; readonly now: number },
): Promise<Attempt> {
  const raw = await wallet.signTransaction({ type: 'eip1559', ...transaction })
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { hash: keccak256(raw), raw, maxFeePerGas, maxPriorityFeePerGas, cancels, signedAt: now }
}

/** Returns the slots of a lane that match, in the order of their nonces. */
export async function readSlots(
  db: Kysely<Database>,
  lane: LaneId,
  filter: {
    readonly states?: readonly SlotState[]
    readonly sinceBlock?: number
    readonly nonce?: number
  },
): Promise<readonly Slot[]> {
  const { states, sinceBlock, nonce } = filter
  let query = db.selectFrom('slot').selectAll().where('lane', '=', lane)
  if (states !== undefined) query = query.where('state', 'in', states)
  if (sinceBlock !== undefined) query = query.where('blockNumber', '>=', sinceBlock)
  if (nonce !== undefined) query = query.where('nonce', '=', nonce)
  const rows = await query.orderBy('nonce').execute()
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const attempts = await db
    .selectFrom('attempt')
    .selectAll()
    .where('lane', '=', lane)
    .where('nonce', '>=', first.nonce)
    .where('nonce', '<=', last.nonce)
    .orderBy('signedAt')
    .execute()
  const byNonce = Map.groupBy(attempts, (attempt) => attempt.nonce)
  return rows.map((row) => slotOf(row, byNonce.get(row.nonce) ?? []))
}

function slotOf(
  row: Selectable<Database['slot']>,
  attempts: readonly Selectable<Database['attempt']>[],
): Slot {
  const { nonce, state, to, data, day, signedAt, blockNumber, blockHash } = row
  return {
    nonce,
    state,
    to,
    data,
    day,
    signedAt,
    jobs: JSON.parse(row.jobs),
    value: BigInt(row.value),
    gas: BigInt(row.gas),
    reserved: BigInt(row.reserved),
    block:
      blockNumber === null || blockHash === null
        ? undefined
        : { number: BigInt(blockNumber), hash: blockHash },
    attempts: attempts.map((attempt) => ({
      hash: attempt.hash,
      raw: attempt.raw,
      maxFeePerGas: BigInt(attempt.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(attempt.maxPriorityFeePerGas),
      cancels: attempt.cancels === 1,
      signedAt: attempt.signedAt,
    })),
  }
}

/** Inserts a slot without its attempts. */
export async function insertSlot(
  trx: Transaction<Database>,
  lane: LaneId,
  slot: Slot,
): Promise<void> {
  await trx.insertInto('slot').values(rowOf(lane, slot)).execute()
}

/** Updates the state, the reserved amount and the block of a slot. */
export async function updateSlot(
  trx: Transaction<Database>,
  lane: LaneId,
  slot: Slot,
): Promise<void> {
  const { state, reserved, blockNumber, blockHash } = rowOf(lane, slot)
  await trx
    .updateTable('slot')
    .set({ state, reserved, blockNumber, blockHash })
    .where('lane', '=', lane)
    .where('nonce', '=', slot.nonce)
    .execute()
}

/** Inserts or replaces a slot without its attempts. */
export async function upsertSlot(
  trx: Transaction<Database>,
  lane: LaneId,
  slot: Slot,
): Promise<void> {
  const row = rowOf(lane, slot)
  await trx
    .insertInto('slot')
    .values(row)
    .onConflict((it) => it.columns(['lane', 'nonce']).doUpdateSet(row))
    .execute()
}

function rowOf(lane: LaneId, slot: Slot): Selectable<Database['slot']> {
  const { nonce, state, to, data, day, signedAt, block } = slot
  return {
    lane,
    nonce,
    state,
    to,
    data,
    day,
    signedAt,
    jobs: JSON.stringify(slot.jobs),
    value: String(slot.value),
    gas: String(slot.gas),
    reserved: String(slot.reserved),
    blockNumber: block === undefined ? null : Number(block.number),
    blockHash: block?.hash ?? null,
  }
}

/** Inserts an attempt; the caller commits it before the bytes leave the process. */
export async function insertAttempt(
  trx: Transaction<Database>,
  lane: LaneId,
  { nonce, attempt }: { readonly nonce: number; readonly attempt: Attempt },
): Promise<void> {
  const { hash, raw, signedAt } = attempt
  await trx
    .insertInto('attempt')
    .values({
      hash,
      lane,
      nonce,
      raw,
      signedAt,
      maxFeePerGas: String(attempt.maxFeePerGas),
      maxPriorityFeePerGas: String(attempt.maxPriorityFeePerGas),
      cancels: attempt.cancels ? 1 : 0,
    })
    .execute()
}

type Sending = {
  readonly client: Pick<PublicClient, 'sendRawTransaction'>
  readonly lease: Pick<Lease, 'isHeld'>
  readonly observe: (event: LaneEvent) => void
}

/**
 * Sends the latest attempt, and returns whether the node refused these very bytes. That and any other
 * error proves nothing: only blocks decide what became of it. Sends nothing without the lease: the next
 * leader has the bytes, and may know that they came too late.
 */
export async function sendLatest(
  { client, lease, observe }: Sending,
  slot: Slot,
  jobs: readonly LaneJob[],
): Promise<boolean> {
  const latest = slot.attempts.at(-1)
  if (latest === undefined || !lease.isHeld()) return false
  try {
    await client.sendRawTransaction({ serializedTransaction: latest.raw })
    return false
  } catch (error) {
    const refusal = refusalOf(error)
    observe({ kind: 'trouble', error: refusal ?? error, on: transactionOf(slot, jobs) })
    return refusal !== undefined && !refusal.mayPass
  }
}

/** Returns the newest transaction of a slot, as events name it. */
export const transactionOf = (
  { nonce, attempts }: Slot,
  jobs: readonly LaneJob[],
): LaneTransaction => ({ txHash: attempts.at(-1)?.hash ?? '0x', nonce, jobs })
