import type { Block, TransactionReceipt } from 'viem'
import type { Crew } from './lane-context.ts'
import type { Slot } from './slots.ts'

/** What is known of a block that stands at the end of the chain. */
export type Head = Pick<
  Block<bigint, false, 'latest'>,
  'number' | 'hash' | 'parentHash' | 'timestamp'
>

/** Jobs that were answered together: how many, when, and how long the first of them waited for it. */
export type Answered = { readonly jobs: number; readonly at: number; readonly waited: number }

/** What a leader remembers of what was sent; all but the head can be read from the store again. */
export type Followed = {
  /** The newest block seen. */
  head: Head | undefined
  /** How long a transaction usually waits for its block, in milliseconds. */
  usualTime: number
  /** The jobs that were answered last. */
  answered: Answered
  /** What a reorganisation has put in doubt, until the chain was asked again. */
  doubted: readonly Slot[]
  /** The receipts of mined slots that wait for confirmations. */
  readonly receipts: Map<number, TransactionReceipt>
  /** When the bytes of a slot were last sent, and the height of the first look after they were new. */
  readonly sentAt: Map<number, { readonly time: number; readonly height: bigint | undefined }>
  /** Remembers a slot as it now is. */
  keep(slot: Slot): void
  /** The slots that no block is seen to hold, in the order of their nonces. */
  open(): readonly Slot[]
  /** The slots in a block that lacks confirmations. */
  mined(): readonly Slot[]
  /** The height of the newest block that decided about a slot. */
  decidedAt(): bigint
}

/** Returns the memory of a lane in which nothing was sent yet. */
export function followed({ observe }: Crew): Followed {
  const slots = new Map<number, Slot>()
  let decidedAt = 0n
  const inState = (wanted: Slot['state']) =>
    [...slots.values()]
      .filter(({ state }) => state === wanted)
      .toSorted((one, other) => one.nonce - other.nonce)
  return {
    head: undefined,
    usualTime: 0,
    answered: { jobs: 0, at: 0, waited: 0 },
    doubted: [],
    receipts: new Map(),
    sentAt: new Map(),
    keep: (slot) => {
      const { nonce, state, block } = slot
      if (state === 'open' || state === 'mined') slots.set(nonce, slot)
      else slots.delete(nonce)
      if (block !== undefined && block.number > decidedAt) decidedAt = block.number
      observe({ kind: 'slots', open: inState('open').length })
    },
    open: () => inState('open'),
    mined: () => inState('mined'),
    decidedAt: () => decidedAt,
  }
}
