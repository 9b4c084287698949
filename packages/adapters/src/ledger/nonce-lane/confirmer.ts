import type { TransactionReceipt } from 'viem'
import type { Crew } from './lane-context.ts'
import { receiptOf } from './receipts.ts'
import { type Answered, type Followed, followed, type Head } from './pending-slots.ts'
import { push } from './replace.ts'
import { inDoubt, isReorganised, recheck } from './reorg.ts'
import { decide, settle } from './settle.ts'
import { readSlots, type Slot } from './slots.ts'

/** Follows what was sent until the chain has decided about it. */
export type Watch = {
  /** Looks at the chain once, and tells whether anything was decided; `sent` was sent just now. */
  look(sent?: Slot): Promise<boolean>
  /** Follows a slot that is about to be sent. */
  add(slot: Slot): void
  /** The slots that no block is seen to hold, in the order of their nonces. */
  open(): readonly Slot[]
  /** Tells whether something waits for blocks to come, or to go. */
  follows(): boolean
  /** What the open slots may still cost, in wei. */
  reserved(): bigint
  /** How long a transaction usually waits for its block, in milliseconds. */
  usualTime(): number
  /** The jobs that were answered last. */
  answered(): Answered
}

/** Takes up what a lane has sent before. */
export async function watch(crew: Crew): Promise<Watch> {
  const { store, lane, client, reorgDepth, now } = crew
  const memory = followed(crew)
  for (const slot of await readSlots(store.db, lane, { states: ['open'] })) {
    memory.keep(slot)
  }
  if (reorgDepth > 0) {
    const head = await client.getBlock({ includeTransactions: false })
    memory.doubted = await inDoubt(crew, head)
    memory.head = head
  }
  return {
    look: (sent) => look(crew, memory, sent),
    add: (slot) => {
      memory.sentAt.set(slot.nonce, { time: now(), height: undefined })
      memory.keep(slot)
    },
    open: memory.open,
    follows: () => follows(crew, memory),
    reserved: () => memory.open().reduce((sum, { reserved }) => sum + reserved, 0n),
    usualTime: () => memory.usualTime,
    answered: () => memory.answered,
  }
}

function follows(
  { reorgDepth }: Crew,
  { open, mined, decidedAt, doubted, head }: Followed,
): boolean {
  if (open().length + mined().length + doubted.length > 0) return true
  return decidedAt() > 0n && (head?.number ?? 0n) - decidedAt() < BigInt(reorgDepth)
}

async function look(crew: Crew, memory: Followed, sent?: Slot): Promise<boolean> {
  const { client, wallet } = crew
  // Asked together: an older count decides about less, and a newer one finds no block for more.
  const [head, count, receipt] = await Promise.all([
    client.getBlock({ includeTransactions: false }),
    client.getTransactionCount({ address: wallet.address }),
    // Many chains mine at once what they are sent; where others wait before it, it waits as well.
    sent !== undefined && memory.open().length === 1 ? receiptOf(crew, sent) : undefined,
  ])
  await follow(crew, memory, head)
  const height = head.number
  await recheck(crew, memory)
  if (memory.open().length + memory.mined().length === 0) return false
  let moved = false
  for (const slot of memory.open().filter(({ nonce }) => nonce < count)) {
    const found = slot === sent ? inHead(receipt, head) : undefined
    moved = (await decide(crew, memory, { slot, height, found })) || moved
  }
  moved = (await settleAll(crew, memory, height)) || moved
  await push(crew, memory, { count, height })
  return moved
}

/** Returns a receipt that was asked for together with a head; of an older block it may be gone by then. */
function inHead(
  receipt: TransactionReceipt | undefined,
  { hash }: Head,
): TransactionReceipt | undefined {
  return receipt?.blockHash === hash ? receipt : undefined
}

async function settleAll(crew: Crew, memory: Followed, height: bigint): Promise<boolean> {
  let moved = false
  for (const slot of memory.mined()) {
    moved = (await settle(crew, memory, { slot, height })) || moved
  }
  return moved
}

async function follow(crew: Crew, memory: Followed, head: Head): Promise<void> {
  const { observe } = crew
  if (await isReorganised(crew, memory.head, head)) {
    observe({ kind: 'reorganised' })
    memory.doubted = await inDoubt(crew, head)
    memory.receipts.clear()
  }
  if (memory.head?.hash !== head.hash) {
    observe({ kind: 'head', number: head.number, timestamp: head.timestamp })
  }
  memory.head = head
}
