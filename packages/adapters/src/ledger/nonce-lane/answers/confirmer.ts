import { replace } from '../fees/replace.ts'
import type { LaneContext } from '../lane-context.ts'
import { type Head, type LastSettled, type PendingSlots, pendingSlots } from '../pending-slots.ts'
import { doEach, isOutage, reportErrors } from '../report-errors.ts'
import { decideOpenSlot, settle } from '../settle.ts'
import { readSlots, type Slot } from '../slots.ts'
import { findReceipt, type Sight } from './receipts.ts'
import { isReorganised, readRevertibleSlots, recheckSlots } from './reorg.ts'

/** Confirms what a lane has sent: tracks every slot until the chain has decided it. */
export type Confirmer = {
  /** Reads the chain once and returns whether a slot was decided; `sent` was sent just now. */
  confirm(sent?: Slot): Promise<boolean>
  /** Adds a slot that is about to be sent. */
  add(slot: Slot): void
  /** Returns the slots that are in no known block, in the order of their nonces. */
  open(): readonly Slot[]
  /** Returns whether a slot is undecided. */
  isUndecided(): boolean
  /** Returns whether a slot is undecided, or a reorganisation may still undo one. */
  isWaiting(): boolean
  /** Returns the most that the open slots may still cost, in wei. */
  reserved(): bigint
  /** Returns the average time of a transaction to its block, in milliseconds. */
  averageWait(): number
  /** Returns the jobs of the slot that settled last. */
  lastSettled(): LastSettled
  /** Returns the number of slots that the chain has decided since the opening. */
  decided(): number
  /** Returns the height of the newest block seen; absent while slots are checked again. */
  height(): bigint | undefined
}

/** Opens the confirmer of a lane with the undecided slots in the store. */
export async function openConfirmer(context: LaneContext): Promise<Confirmer> {
  const { store, lane, client, reorgDepth, now } = context
  const pending = pendingSlots(context)
  for (const slot of await readSlots(store.db, lane, { states: ['open'] })) {
    pending.set(slot)
  }
  if (reorgDepth > 0) {
    const head = await client.getBlock({ includeTransactions: false })
    pending.toRecheck = await readRevertibleSlots(context, head)
    pending.head = head
  }
  return {
    confirm: (sent) => confirm(context, pending, sent),
    add: (slot) => {
      pending.sentAt.set(slot.nonce, { time: now(), height: undefined })
      pending.set(slot)
    },
    open: pending.open,
    isUndecided: () => isUndecided(pending),
    isWaiting: () => isWaiting(context, pending),
    reserved: () => pending.open().reduce((sum, { reserved }) => sum + reserved, 0n),
    averageWait: () => pending.averageWait,
    lastSettled: () => pending.lastSettled,
    decided: pending.decided,
    height: () => (pending.toRecheck.length > 0 ? undefined : pending.head?.number),
  }
}

const isUndecided = ({ open, mined, toRecheck }: PendingSlots): boolean =>
  open().length + mined().length + toRecheck.length > 0

function isWaiting({ reorgDepth }: LaneContext, pending: PendingSlots): boolean {
  if (isUndecided(pending)) return true
  const { lastDecidedAt, head } = pending
  return lastDecidedAt() > 0n && (head?.number ?? 0n) - lastDecidedAt() < BigInt(reorgDepth)
}

async function confirm(context: LaneContext, pending: PendingSlots, sent?: Slot): Promise<boolean> {
  const first = likelySlot(pending, sent)
  const { head, count, receipt } = await readChain(context, first)
  context.known.seeHead(head)
  await updateHead(context, pending, head)
  const height = head.number
  await recheckSlots(context, pending)
  if (pending.open().length + pending.mined().length === 0) return false
  const counted = pending.open().filter(({ nonce }) => nonce < count)
  const hasDecided = await doEach(context, counted, (slot) => {
    const found = slot === first ? sightInHead(receipt, head) : undefined
    return decideOpenSlot(context, pending, { slot, height, found })
  })
  const hasSettled = await doEach(context, pending.mined(), (slot) =>
    settle(context, pending, { slot, height }),
  )
  await replace(context, pending, { count, height })
  return hasDecided || hasSettled
}

/** The usual time to a block up to which receipts are requested before it is known that they exist. */
const fastBlocks = 1000

/** Returns the slot that is probably mined: many chains mine soon, unless others wait before it. */
function likelySlot({ open, averageWait }: PendingSlots, sent?: Slot): Slot | undefined {
  const [first, second] = open()
  if (second !== undefined) return undefined
  return averageWait > 0 && averageWait < fastBlocks ? first : sent
}

/**
 * Reads the newest block, the number of mined transactions and the receipt of a slot. They may be of
 * different heads: an older count decides fewer slots, and `decideOpenSlot` ignores receipts above.
 */
async function readChain(context: LaneContext, slot: Slot | undefined) {
  const { client, wallet, alone } = context
  const readCount = () => client.getTransactionCount({ address: wallet.address })
  const [head, counted, receipt] = await Promise.all([
    client.getBlock({ includeTransactions: false }),
    // A chain in this process is asked one after the other, and a receipt says that its nonce is used.
    alone === undefined ? readCount() : undefined,
    slot && reportErrors(context, () => findReceipt(context, slot), undefined, isOutage),
  ])
  const isSeen = slot !== undefined && typeof receipt === 'object'
  return { head, count: counted ?? (isSeen ? slot.nonce + 1 : await readCount()), receipt }
}

/** Returns a sight unless it is of another block than the head: that may be outdated by now. */
const sightInHead = (sight: Sight, { hash }: Head): Sight =>
  sight === undefined || sight === 'wrong' || sight.blockHash === hash ? sight : undefined

/**
 * Returns whether the node shows an older block than before, and not for long yet: behind one address
 * there may be several nodes, some of which lag behind. A chain that is shorter stays so.
 */
function lagsBehind({ now, stuckAfter }: LaneContext, pending: PendingSlots, head: Head): boolean {
  if (pending.head === undefined || head.number >= pending.head.number) {
    pending.lowerSince = undefined
    return false
  }
  pending.lowerSince ??= now()
  return now() - pending.lowerSince < stuckAfter
}

async function updateHead(context: LaneContext, pending: PendingSlots, head: Head): Promise<void> {
  const { observe } = context
  if (lagsBehind(context, pending, head)) return
  if (await isReorganised(context, pending.head, head)) {
    observe({ kind: 'reorganised' })
    pending.toRecheck = await readRevertibleSlots(context, head)
    pending.receipts.clear()
  }
  if (pending.head?.hash !== head.hash) {
    observe({ kind: 'head', number: head.number, timestamp: head.timestamp })
  }
  pending.head = head
}
