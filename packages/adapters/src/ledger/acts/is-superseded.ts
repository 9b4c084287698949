import type { Hex, PublicClient } from 'viem'
import { parseTransaction } from 'viem'
import { hashSignedBy } from '../nonce-lane/signed-transaction.ts'

/** A transaction that an account signed, and that may never have been sent. */
export type SignedTransaction = { readonly address: Hex; readonly txHash: Hex; readonly raw: Hex }

/** Returns the nonce of a signed transaction. */
export const nonceOf = (raw: Hex): number => parseTransaction(raw).nonce ?? 0

/** The number of blocks in which the other transaction is looked for. */
const searchDepth = 1n << 16n

/**
 * Returns whether another transaction of the account has taken the nonce of a signed one, which can then
 * never be mined. Only a transaction in a block, with a signature of the account, proves that; whatever the
 * node cannot show is `false`.
 */
export async function isSuperseded(
  client: PublicClient,
  { address, txHash, raw }: SignedTransaction,
): Promise<boolean> {
  const { nonce = 0, chainId = 0 } = parseTransaction(raw)
  const usedIn = (blockNumber: bigint) =>
    client.getTransactionCount({ address, blockNumber }).then((count) => count > nonce)
  try {
    const newest = await client.getBlockNumber({ cacheTime: 0 })
    if (!(await usedIn(newest))) return false
    const oldest = newest > searchDepth ? newest - searchDepth : 0n
    const blockNumber = await firstBlock(usedIn, { oldest, newest })
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    const from = address.toLowerCase()
    const mined = transactions.find((it) => it.from.toLowerCase() === from && it.nonce === nonce)
    const hash = mined && (await hashSignedBy(address, mined, chainId))
    return hash !== undefined && hash !== txHash
  } catch {
    // A node without the states of old blocks shows nothing.
    return false
  }
}

type Range = { readonly oldest: bigint; readonly newest: bigint }

/** Returns the first block of a range in which something holds; it holds in the newest one. */
async function firstBlock(
  holds: (block: bigint) => Promise<boolean>,
  { oldest, newest }: Range,
): Promise<bigint> {
  let [low, high] = [oldest, newest]
  while (low < high) {
    const middle = (low + high) / 2n
    if (await holds(middle)) high = middle
    else low = middle + 1n
  }
  return high
}
