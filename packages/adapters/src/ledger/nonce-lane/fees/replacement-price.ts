import { transferGas } from '../../../platform/nodes/receipt-fault.ts'
import type { Pricing, Slot } from '../slots.ts'

/** The raise of a replacement: nodes refuse one that adds less than a tenth. */
const raise = { numerator: 9n, denominator: 8n }

/** The highest price of a replacement, as a multiple of the first price. */
const priceCap = 16n

/** The most that a cancellation may cost, in wei, where the write itself could not cost more. */
const cancellationFloor = 10n ** 16n

/** The prices per unit of gas that the chain asks now, in wei. */
export type Fees = Omit<Pricing, 'gas'>

/** The price per unit of gas that a transaction needs, and the highest that it may have, in wei. */
export type PriceBounds = {
  readonly needed: bigint
  /** `undefined` where nothing bounds it. */
  readonly limit: bigint | undefined
}

type Attempted = Pick<Slot, 'gas' | 'attempts'>

/** Returns the price that nodes and the chain ask for a replacement, and what is allowed for the write. */
export function boundsOfWrite(slot: Attempted, market: Fees): PriceBounds {
  return { needed: neededFor(slot, market), limit: highestPrice(slot) }
}

/**
 * Returns the highest price of the replacements of a write; `undefined` while it was signed at no price
 * but 0, which says nothing of what the chain asks.
 */
export function highestPrice({ attempts }: Attempted): bigint | undefined {
  const first = attempts.find(({ maxFeePerGas }) => maxFeePerGas > 0n)
  return first && first.maxFeePerGas * priceCap
}

/**
 * Returns the price that is asked for a cancellation, and what is allowed: it may cost as much as the
 * replacements of the write could, or a hundredth of a coin, whichever is more.
 */
export function boundsOfCancellation(slot: Attempted, market: Fees): PriceBounds {
  const ofWrite = (highestPrice(slot) ?? 0n) * slot.gas
  return {
    needed: neededFor(slot, market),
    limit: larger(ofWrite, cancellationFloor) / transferGas,
  }
}

/**
 * Returns the prices of the next transaction of a slot, at most those allowed; `undefined` where no node
 * accepts them as a replacement of the last one.
 */
export function priceWithin(
  { attempts }: Attempted,
  market: Fees,
  { needed, limit = needed }: PriceBounds,
): Fees | undefined {
  const last = attempts.at(-1)
  const maxFeePerGas = smaller(needed, limit)
  if (last !== undefined && maxFeePerGas < raised(last.maxFeePerGas)) return undefined
  const tip = larger(raised(last?.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) }
}

const neededFor = ({ attempts }: Attempted, market: Fees): bigint =>
  larger(raised(attempts.at(-1)?.maxFeePerGas), market.maxFeePerGas)

/** Returns the least price that replaces another one; 0 where there is no other. */
const raised = (price: bigint | undefined): bigint =>
  price === undefined ? 0n : (price * raise.numerator) / raise.denominator + 1n

/** Returns the larger of two amounts. */
export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Returns the smaller of two amounts. */
export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
