import {
  type Hex,
  type PublicClient,
  parseTransaction,
  type Transaction,
  type TransactionSerializable,
} from 'viem'
import { hashSignedBy } from '../nonce-lane/signed-transaction.ts'

/** A transaction that an account signed, and that may never have been sent. */
export type SignedTransaction = { readonly address: Hex; readonly raw: Hex }

/** The transaction in a block that has the nonce of a signed one. */
export type Taker = {
  readonly txHash: Hex
  /** Whether it makes the same call with the same value: the signed one, or one with other fees. */
  readonly isSameCall: boolean
}

/** Returns the nonce of a signed transaction. */
export const nonceOf = (raw: Hex): number => parseTransaction(raw).nonce ?? 0

/** The number of blocks in which the other transaction is looked for. */
const searchDepth = 1n << 16n

/**
 * Returns the transaction of an account that took the nonce of a signed one, which then can be mined no
 * more, unless it is that one. Only a transaction in a block, with a signature of the account, proves that;
 * `undefined` for whatever the node cannot show.
 */
export async function findTaker(
  client: PublicClient,
  { address, raw }: SignedTransaction,
): Promise<Taker | undefined> {
  const { nonce = 0, chainId = 0, ...signed } = parseTransaction(raw)
  const usedIn = (blockNumber: bigint) =>
    client.getTransactionCount({ address, blockNumber }).then((count) => count > nonce)
  try {
    const newest = await client.getBlockNumber({ cacheTime: 0 })
    if (!(await usedIn(newest))) return undefined
    const oldest = newest > searchDepth ? newest - searchDepth : 0n
    const blockNumber = await firstBlock(usedIn, { oldest, newest })
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    const from = address.toLowerCase()
    const mined = transactions.find((it) => it.from.toLowerCase() === from && it.nonce === nonce)
    const txHash = mined && (await hashSignedBy(address, mined, chainId))
    return txHash && { txHash, isSameCall: isSameCall(signed, mined) }
  } catch {
    // A node without the states of old blocks shows nothing.
    return undefined
  }
}

type Call = Pick<TransactionSerializable, 'to' | 'data' | 'value'>

const isSameCall = (
  { to, data = '0x', value = 0n }: Call,
  mined: Pick<Transaction, 'to' | 'input' | 'value'>,
): boolean =>
  to?.toLowerCase() === mined.to?.toLowerCase() && data === mined.input && value === mined.value

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
