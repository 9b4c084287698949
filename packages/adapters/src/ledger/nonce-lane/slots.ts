import type { Kysely, Selectable, Transaction } from 'kysely'
import { type Hex, keccak256, type LocalAccount } from 'viem'
import type { Crew } from './lane-context.ts'
import type { Call } from './job.ts'
import type { Database, LaneId, SlotState } from '../../job-store/schema.ts'

/** What a signed transaction may cost in gas, and at what price of gas. */
export type Pricing = {
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A signed transaction. */
export type Attempt = Omit<Pricing, 'gas'> & {
  readonly hash: Hex
  readonly raw: Hex
  readonly cancels: boolean
  /** Milliseconds since 1970. */
  readonly signedAt: number
}

/** A nonce of the wallet, what it is for, and all that was ever signed under it, oldest first. */
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
}

/** Returns the most that a transaction may cost. */
export const costliest = (value: bigint, { gas, maxFeePerGas }: Pricing): bigint =>
  value + gas * maxFeePerGas

/** Signs a call under a nonce. */
export async function sign(
  wallet: LocalAccount,
  transaction: Call & Pricing & { readonly chainId: number; readonly nonce: number },
  { cancels, now }: { readonly cancels: boolean; readonly now: number },
): Promise<Attempt> {
  const raw = await wallet.signTransaction({ type: 'eip1559', ...transaction })
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { hash: keccak256(raw), raw, maxFeePerGas, maxPriorityFeePerGas, cancels, signedAt: now }
}

/** Reads the slots of a lane that match, in the order of their nonces. */
export async function readSlots(
  db: Kysely<Database>,
  lane: LaneId,
  which: {
    readonly states?: readonly SlotState[]
    readonly sinceBlock?: number
    readonly nonce?: number
  },
): Promise<readonly Slot[]> {
  const { states, sinceBlock, nonce } = which
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
  const byNonce = Map.groupBy(attempts, ({ nonce: of }) => of)
  return rows.map((row) => slotOf(row, byNonce.get(row.nonce) ?? []))
}

function slotOf(
  row: Selectable<Database['slot']>,
  attempts: readonly Selectable<Database['attempt']>[],
): Slot {
  const { nonce, state, to, data, day, signedAt, blockNumber, blockHash } = row
  return {
    ...{ nonce, state, to, data, day, signedAt },
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

/** Writes a slot of a nonce that has none yet; its attempts are written by themselves. */
export async function addSlot(trx: Transaction<Database>, lane: LaneId, slot: Slot): Promise<void> {
  await trx.insertInto('slot').values(rowOf(lane, slot)).execute()
}

/** Writes what became of a slot that is kept. */
export async function markSlot(
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

/** Writes a slot as it now is. */
export async function writeSlot(
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
    ...{ lane, nonce, state, to, data, day, signedAt },
    jobs: JSON.stringify(slot.jobs),
    value: String(slot.value),
    gas: String(slot.gas),
    reserved: String(slot.reserved),
    blockNumber: block === undefined ? null : Number(block.number),
    blockHash: block?.hash ?? null,
  }
}

/** Writes what was signed under a nonce, before anybody else can see it. */
export async function writeAttempt(
  trx: Transaction<Database>,
  lane: LaneId,
  { nonce, attempt }: { readonly nonce: number; readonly attempt: Attempt },
): Promise<void> {
  const { hash, raw, signedAt } = attempt
  await trx
    .insertInto('attempt')
    .values({
      ...{ hash, lane, nonce, raw, signedAt },
      maxFeePerGas: String(attempt.maxFeePerGas),
      maxPriorityFeePerGas: String(attempt.maxPriorityFeePerGas),
      cancels: attempt.cancels ? 1 : 0,
    })
    .execute()
}

/** Sends the newest bytes. Whatever comes back is no evidence: the chain is asked what became of them. */
export async function sendNewest({ client, observe }: Crew, { attempts }: Slot): Promise<void> {
  const newest = attempts.at(-1)
  if (newest === undefined) return
  try {
    await client.sendRawTransaction({ serializedTransaction: newest.raw })
  } catch (error) {
    observe({ kind: 'trouble', error })
  }
}
