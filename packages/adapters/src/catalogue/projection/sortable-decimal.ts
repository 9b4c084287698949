/** Wider than the highest price a listing can carry, and so that texts are in the order of their numbers. */
const width = 32
const highest = 10n ** BigInt(width) - 1n

/** Returns how a price is written; one that no listing can carry stands for all above. */
export function written(price: bigint): string {
  return String(price > highest ? highest : price).padStart(width, '0')
}

/** Nothing, as a price is written. */
export const noPrice = written(0n)
