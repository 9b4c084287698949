/** More digits than the highest price of a listing has. */
const width = 32
const highest = 10n ** BigInt(width) - 1n

/**
 * Returns a price as a decimal text of fixed width, so that the order of the texts is that of the
 * prices. A price above all that a listing can hold becomes the highest text.
 */
export function sortableDecimal(price: bigint): string {
  return String(price > highest ? highest : price).padStart(width, '0')
}

/** The price 0 as a sortable decimal. */
export const noPrice = sortableDecimal(0n)
