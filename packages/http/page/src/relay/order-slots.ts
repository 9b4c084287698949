import type { Hex } from 'viem'
import { Problem } from '../api/problem.ts'
import { deadlineFromNow } from './signed-act.ts'

/** The value that tells an order from those that are equal but for it. */
export type OrderSlot = {
  readonly salt: Hex
  /** The last second in which its payment is valid, since 1970. */
  readonly deadline: number
  /** The terms of the order that was signed; absent until one was. */
  readonly terms?: string
}

const storageKey = 'heirloom.orders'

/** The shortest time that must be left to an order that is signed again, in seconds. */
const shortestTime = 120

type Slots = Readonly<Record<string, OrderSlot>>

/** Reads the slots of orders that may still be carried out, in any tab of this browser. */
function readSlots(now: number): Slots {
  const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Slots
  return Object.fromEntries(Object.entries(stored).filter(([, { deadline }]) => deadline >= now))
}

const storeSlots = (slots: Slots) => localStorage.setItem(storageKey, JSON.stringify(slots))

const secondsNow = () => Math.floor(Date.now() / 1000)

/**
 * Returns the slot of an act: the same until the act is carried out, or its time is over. So an act that
 * is tried again, even after a reload of the page or in another tab, is the same order, and is paid once
 * at most.
 *
 * @param salt - the salt of the next order of this act and these terms, as the chain has it: tabs that
 * reserve at the same time get the same one
 * @throws {Problem} while an earlier order may still be carried out that was signed on other terms, or
 * whose time is nearly over: both would be paid
 */
export function reserveSlot(key: string, terms: string, salt: Hex): OrderSlot {
  const now = secondsNow()
  const slots = readSlots(now)
  const slot = slots[key] ?? { salt, deadline: deadlineFromNow() }
  const isOther = slot.terms !== undefined && slot.terms !== terms
  if (isOther || slot.deadline < now + shortestTime) throw earlierOrder(slot.deadline - now)
  storeSlots({ ...slots, [key]: slot })
  return slot
}

/** Records that the order in a slot was signed. */
export function recordSignature(key: string, terms: string): void {
  const slots = readSlots(secondsNow())
  const slot = slots[key]
  if (slot !== undefined) storeSlots({ ...slots, [key]: { ...slot, terms } })
}

/** Releases the slot of an act that was carried out: the next one like it is another order. */
export function releaseSlot(key: string): void {
  const { [key]: _, ...others } = readSlots(secondsNow())
  storeSlots(others)
}

const earlierOrder = (seconds: number) =>
  new Problem(
    `An earlier payment for the same may still be carried out, for ${seconds + 1} seconds.`,
    'Nothing was signed now. Look at your memories then, before you try again.',
    { code: 'relay/earlier-order' },
  )
