import type { Block, Hex, TransactionReceipt } from 'viem'
import type { LaneEvent } from './lane-event.ts'
import type { Slot } from './slots.ts'

/** The head of the chain. */
export type Head = Pick<
  Block<bigint, false, 'latest'>,
  'number' | 'hash' | 'parentHash' | 'timestamp' | 'baseFeePerGas' | 'transactions'
>

/** The jobs of the slot that settled last: their number, the time, and their longest wait. */
export type LastSettled = { readonly jobs: number; readonly at: number; readonly waited: number }

/** The undecided slots of a lane, in memory. All but the head can be read from the store again. */
export type PendingSlots = {
  /** The newest block seen. */
  head: Head | undefined
  /** Since when the node shows older blocks than before; absent while it does not. */
  lowerSince: number | undefined
  /** The average time from the signature of a transaction to its block, in milliseconds. */
  averageWait: number
  lastSettled: LastSettled
  /** The decided slots that a reorganisation may have undone and that are not checked again yet. */
  toRecheck: readonly Slot[]
  /** The receipts of mined slots that wait for confirmations. */
  readonly receipts: Map<number, TransactionReceipt>
  /**
   * The nonces of open slots that the chain counted while it showed no receipt, each with the time from
   * which the transaction that used it is looked for.
   */
  readonly withoutReceipt: Map<number, number>
  /** The blocks in which slots were seen to have done nothing, by their nonces. */
  readonly failures: Map<number, Hex>
  /** The nonces of open slots of which it was reported that they, or their cancellations, stay as they are. */
  readonly unreplaced: Map<number, boolean>
  /** The hashes of attempts that the node refused, whatever their price, by nonce. */
  readonly refused: Map<number, ReadonlySet<Hex>>
  /** The time a slot was last sent, and the height when its newest attempt was first checked. */
  readonly sentAt: Map<number, { readonly time: number; readonly height: bigint | undefined }>
  /** Stores the new state of a slot. */
  set(slot: Slot): void
  /** Returns the slots that are in no known block, in the order of their nonces. */
  open(): readonly Slot[]
  /** Returns the slots in a block that lacks confirmations. */
  mined(): readonly Slot[]
  /** Returns the number of slots that were decided so far. */
  decided(): number
  /** Returns the height of the newest block that decided a slot. */
  lastDecidedAt(): bigint
}

/** Returns the pending slots of a lane that has sent nothing yet. */
export function pendingSlots({
  observe,
}: {
  readonly observe: (event: LaneEvent) => void
}): PendingSlots {
  const slots = new Map<number, Slot>()
  let lastDecidedAt = 0n
  let decided = 0
  const inState = (state: Slot['state']) =>
    [...slots.values()]
      .filter((slot) => slot.state === state)
      .toSorted((one, other) => one.nonce - other.nonce)
  const [unreplaced, refused] = [new Map<number, boolean>(), new Map<number, ReadonlySet<Hex>>()]
  const forgetUnless = (isOpen: boolean, nonce: number) => {
    if (isOpen) return
    unreplaced.delete(nonce)
    refused.delete(nonce)
  }
  return {
    head: undefined,
    lowerSince: undefined,
    averageWait: 0,
    lastSettled: { jobs: 0, at: 0, waited: 0 },
    toRecheck: [],
    receipts: new Map(),
    withoutReceipt: new Map(),
    failures: new Map(),
    unreplaced,
    refused,
    sentAt: new Map(),
    set: (slot) => {
      const { nonce, state, block } = slot
      if (state === 'open' || state === 'mined') slots.set(nonce, slot)
      else if (slots.delete(nonce)) decided += 1
      forgetUnless(state === 'open', nonce)
      if (block !== undefined && block.number > lastDecidedAt) lastDecidedAt = block.number
      observe({ kind: 'slots', open: inState('open').length })
    },
    open: () => inState('open'),
    mined: () => inState('mined'),
    decided: () => decided,
    lastDecidedAt: () => lastDecidedAt,
  }
}
