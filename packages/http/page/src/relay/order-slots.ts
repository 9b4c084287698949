import { bytesToHex, type Hex } from 'viem'
import { deadlineFromNow } from './signed-act.ts'

/** The values that tell an order from those that are equal but for it. */
export type OrderSlot = {
  readonly salt: Hex
  /** The last second in which it may be carried out, since 1970. */
  readonly deadline: number
}

const storageKey = 'heirloom.orders'

/** The shortest time that must be left to an order that is signed again, in seconds. */
const shortestTime = 120

type Slots = Readonly<Record<string, OrderSlot>>

/** Reads the slots of orders that may still be carried out. */
function readSlots(): Slots {
  const soon = Math.floor(Date.now() / 1000) + shortestTime
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Slots
  return Object.fromEntries(Object.entries(stored).filter(([, { deadline }]) => deadline >= soon))
}

const storeSlots = (slots: Slots) => sessionStorage.setItem(storageKey, JSON.stringify(slots))

/**
 * Returns the slot of an act: the same until the act is carried out, or its time is nearly over. So an
 * act that is tried again, even after a reload of the page, is the same order, and is paid once at most.
 */
export function reserveSlot(key: string): OrderSlot {
  const slots = readSlots()
  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const slot = slots[key] ?? { salt, deadline: deadlineFromNow() }
  storeSlots({ ...slots, [key]: slot })
  return slot
}

/** Releases the slot of an act that was carried out: the next one like it is another order. */
export function releaseSlot(key: string): void {
  const { [key]: _, ...others } = readSlots()
  storeSlots(others)
}
