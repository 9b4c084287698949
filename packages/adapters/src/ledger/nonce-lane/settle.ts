import { Failure, type LedgerWrite } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import type { Crew } from './lane-context.ts'
import { isCancelled, isTaken, reasonOf, receiptOf } from './receipts.ts'
import type { Followed } from './pending-slots.ts'
import { gainsOf, type Outcome } from './job.ts'
import { endsOf, endToRow, type JobRow, jobsOf, writeEnds } from './job-row.ts'
import { markSlot, type Slot } from './slots.ts'
import { spend } from './spend-limit.ts'
import { fence } from '../../job-store/job-store.ts'

type Looked = { readonly slot: Slot; readonly height: bigint }

/** Finds out what became of a nonce that the chain has passed. Tells whether it could. */
export async function decide(
  crew: Crew,
  memory: Followed,
  { slot, height, found }: Looked & { readonly found: TransactionReceipt | undefined },
): Promise<boolean> {
  const receipt = found ?? (await receiptOf(crew, slot))
  if (receipt === undefined) {
    if (!(await isTaken(crew, slot, height))) return false
    await lose(crew, memory, { slot, height })
    return true
  }
  // Only what ends with a head that was seen is known to be gone when that head is.
  if (receipt.blockNumber > height) return false
  memory.receipts.set(slot.nonce, receipt)
  memory.keep({ ...slot, state: 'mined', block: blockOf(receipt) })
  const waited = Math.max(0, crew.now() - (slot.attempts.at(-1)?.signedAt ?? 0))
  memory.usualTime = 0.8 * memory.usualTime + 0.2 * waited
  return true
}

const blockOf = ({ blockNumber: number, blockHash: hash }: TransactionReceipt) => ({ number, hash })

/** Gives up a nonce that another transaction has: the jobs are launched again under a new one. */
async function lose(crew: Crew, memory: Followed, { slot, height }: Looked): Promise<void> {
  const { store, lane, lease } = crew
  const block = { number: height, hash: memory.head?.hash ?? '0x' } as const
  const lost: Slot = { ...slot, state: 'lost', reserved: 0n, block }
  await store.commit(async (trx) => {
    await fence(trx, lane, lease)
    const rows = await jobsOf(trx, slot)
    await spend(trx, { lane, day: slot.day, rows, before: slot.reserved, after: 0n })
    await markSlot(trx, lane, lost)
    if (slot.jobs.length === 0) return
    await trx
      .updateTable('job')
      .set({ state: 'queued', nonce: null, txHash: null })
      .where('id', 'in', slot.jobs)
      .where('nonce', '=', slot.nonce)
      .execute()
  })
  memory.keep(lost)
  crew.observe({ kind: 'lost' })
}

/** Ends the jobs of a mined slot, once enough blocks confirm it. Tells whether it did. */
export async function settle(
  crew: Crew,
  memory: Followed,
  { slot, height }: Looked,
): Promise<boolean> {
  const receipt = memory.receipts.get(slot.nonce) ?? (await receiptOf(crew, slot))
  if (receipt === undefined) {
    memory.keep({ ...slot, state: 'open', block: undefined })
    return true
  }
  if (height - receipt.blockNumber + 1n < BigInt(crew.confirmations)) return false
  const reason = await reasonOf(crew, slot, receipt)
  const settled: Slot = {
    ...slot,
    ...{ state: 'settled', block: blockOf(receipt), reserved: paidFor(slot, receipt) },
  }
  const rows = await record(crew, { slot, settled, receipt, reason })
  memory.receipts.delete(slot.nonce)
  memory.sentAt.delete(slot.nonce)
  memory.keep(settled)
  const at = crew.now()
  const waited = Math.max(0, ...rows.map(({ acceptedAt }) => at - acceptedAt))
  memory.answered = { jobs: rows.length, at, waited }
  crew.observe({ kind: 'settled', jobs: rows.length, waited })
  crew.jobs.tell(endsOf(rows))
  return true
}

function paidFor(slot: Slot, receipt: TransactionReceipt): bigint {
  const { gasUsed, effectiveGasPrice, status } = receipt
  const moved = status === 'success' && !isCancelled(slot, receipt) ? slot.value : 0n
  return gasUsed * effectiveGasPrice + moved
}

type Settlement = {
  readonly slot: Slot
  readonly settled: Slot
  readonly receipt: TransactionReceipt
  readonly reason: Failure | undefined
}

// A loss of power may forget this, and then it is found out again from the chain.
function record(crew: Crew, settlement: Settlement): Promise<readonly JobRow[]> {
  const { store, lane, lease } = crew
  const { slot, settled, receipt } = settlement
  return store.commit(async (trx) => {
    await fence(trx, lane, lease)
    const jobs = await jobsOf(trx, slot)
    const [before, after] = [slot.reserved, settled.reserved]
    await spend(trx, { lane, day: slot.day, rows: jobs, before, after })
    await markSlot(trx, lane, settled)
    const gains = jobs[0] ? gainsOf(jobs[0].operation as LedgerWrite, receipt.logs) : []
    const rows = jobs.map((job, place) => rowAfter(job, settlement, gains[place]))
    await writeEnds(trx, rows)
    await store.announce(trx, lane)
    return rows
  }, 'lazily')
}

/** Returns a job as it is once its transaction is settled. */
function rowAfter(
  job: JobRow,
  { slot, receipt, reason }: Settlement,
  gain: ReturnType<typeof gainsOf>[number] | undefined,
): JobRow {
  const txHash = receipt.transactionHash
  if (isCancelled(slot, receipt)) {
    const failure = new Failure('transaction/cancelled', { txHash })
    return { ...job, ...endToRow({ kind: 'failed', failure }), key: null }
  }
  if (reason === undefined) {
    const acceptedAt = job.acceptedAt as Outcome['acceptedAt']
    const outcome = { txHash, acceptedAt, data: job.data, ...gain }
    return { ...job, ...endToRow({ kind: 'done', outcome }) }
  }
  // Which of many made it revert cannot be told here, so each is tried out again.
  if (slot.jobs.length > 1) return { ...job, state: 'queued', nonce: null, txHash: null }
  return { ...job, ...endToRow({ kind: 'failed', failure: reason }), txHash }
}
