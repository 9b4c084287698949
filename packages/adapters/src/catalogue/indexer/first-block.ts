import type { Hex } from 'viem'
import type { ChainReader } from './chain-reader.ts'

/** The blocks before the contracts that are read all the same: a reorganisation may deploy them sooner. */
const margin = 64

/**
 * Returns the first block that can hold an event of a contract: about that of its deployment, found by
 * halving the chain. Returns 0 if the node does not keep the state of old blocks.
 */
export async function findFirstBlock(reader: ChainReader, contract: Hex): Promise<number> {
  try {
    let [first, last] = [0, await reader.head()]
    if (!(await reader.hasCode(contract, last))) return 0
    while (first < last) {
      const middle = Math.floor((first + last) / 2)
      if (await reader.hasCode(contract, middle)) last = middle
      else first = middle + 1
    }
    // One wrong answer would hide all events before it.
    if (first > 0 && (await reader.elsewhere.hasCode(contract, first - 1))) return 0
    return Math.max(0, first - margin)
  } catch {
    return 0
  }
}
