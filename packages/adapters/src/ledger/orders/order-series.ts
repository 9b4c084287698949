import { fromSeconds, type Instant } from '@heirloom/core'
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

/**
 * The deadline of an order that has none: the first second of the year 2100. What bounds such an order in
 * time is the payment, which is signed for minutes.
 */
export const noDeadline: Instant = fromSeconds(4_102_444_800)

/** The most orders that are alike and closed before the search for an open one ends. */
const mostClosed = 100_000

/**
 * Returns the salt of the next order among those that are alike but for it. They are numbered, and the
 * number is the first one whose order is open still, as the chain has it. So all who want the same make
 * the same order until that is carried out, in any process and on any machine, and it is paid once.
 *
 * @param isOpen - returns whether the order with a salt is neither carried out nor refunded
 * @returns `undefined` if none is found
 */
export async function findOpenSalt(
  isOpen: (salt: Hex) => Promise<boolean>,
): Promise<Hex | undefined> {
  // Most often the first one is open; for a payer of many the search goes on with many at once.
  let size = 1
  for (let first = 0; first < mostClosed; first += size) {
    if (first > 0) size = 32
    const salts = Array.from({ length: size }, (_, index) => saltAt(first + index))
    const open = await Promise.all(salts.map(isOpen))
    const salt = salts[open.indexOf(true)]
    if (salt !== undefined) return salt
  }
  return undefined
}

/** Returns the salt of the order with a number. It differs from all that other programs derive. */
function saltAt(number: number): Hex {
  const types = parseAbiParameters('string, uint256')
  return keccak256(encodeAbiParameters(types, ['heirloom order', BigInt(number)]))
}
