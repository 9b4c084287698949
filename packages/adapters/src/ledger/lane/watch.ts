import type { Crew } from './crew.ts'
import { type Followed, followed, type Head } from './followed.ts'
import { push } from './push.ts'
import { inDoubt, isReorganised, recheck } from './reorg.ts'
import { decide, settle } from './settle.ts'
import { readSlots, type Slot } from './slots.ts'

/** Follows what was sent until the chain has decided about it. */
export type Watch = {
  /** Looks at the chain once, and tells whether anything was decided. */
  look(): Promise<boolean>
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
    look: () => look(crew, memory),
    add: (slot) => {
      memory.sentAt.set(slot.nonce, { time: now(), height: undefined })
      memory.keep(slot)
    },
    open: memory.open,
    follows: () => follows(crew, memory),
    reserved: () => memory.open().reduce((sum, { reserved }) => sum + reserved, 0n),
    usualTime: () => memory.usualTime,
  }
}

function follows(
  { reorgDepth }: Crew,
  { open, mined, decidedAt, doubted, head }: Followed,
): boolean {
  if (open().length + mined().length + doubted.length > 0) return true
  return decidedAt() > 0n && (head?.number ?? 0n) - decidedAt() < BigInt(reorgDepth)
}

async function look(crew: Crew, memory: Followed): Promise<boolean> {
  const head = await nextHead(crew, memory)
  const height = head.number
  await recheck(crew, memory)
  if (memory.open().length + memory.mined().length === 0) return false
  const { address } = crew.wallet
  const count = await crew.client.getTransactionCount({ address })
  let moved = false
  for (const slot of memory.open().filter(({ nonce }) => nonce < count)) {
    moved = (await decide(crew, memory, { slot, height })) || moved
  }
  for (const slot of memory.mined()) {
    moved = (await settle(crew, memory, { slot, height })) || moved
  }
  await push(crew, memory, { count, height })
  return moved
}

async function nextHead(crew: Crew, memory: Followed): Promise<Head> {
  const { client, observe } = crew
  const head = await client.getBlock({ includeTransactions: false })
  if (await isReorganised(crew, memory.head, head)) {
    observe({ kind: 'reorganised' })
    memory.doubted = await inDoubt(crew, head)
    memory.receipts.clear()
  }
  if (memory.head?.hash !== head.hash) {
    observe({ kind: 'head', number: head.number, timestamp: head.timestamp })
  }
  memory.head = head
  return head
}
