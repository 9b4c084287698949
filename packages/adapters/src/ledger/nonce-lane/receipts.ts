import { Failure } from '@heirloom/core'
import { BlockNotFoundError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { isRefusal } from '../node-call.ts'
import { findRevertReason } from '../send-once.ts'
import type { LaneContext } from './lane-context.ts'
import type { ForeignTransaction } from './rival-watch.ts'
import { hashSignedBy } from './signed-transaction.ts'
import type { Slot } from './slots.ts'

/** Returns the receipt of the attempt that was mined; `undefined` only if the node has none. */
export async function findReceipt(
  { client }: LaneContext,
  { attempts }: Slot,
): Promise<TransactionReceipt | undefined> {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    if (receipt !== undefined) return receipt
  }
  return undefined
}

/** Returns a requested block; `undefined` if the node does not have it. */
export async function blockIfKnown<T>(block: Promise<T>): Promise<T | undefined> {
  return block.catch((error: unknown) => {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  })
}

/**
 * Returns the transaction of the wallet in a confirmed block that has the slot's nonce and is none of
 * its attempts. None proves nothing: the node may not know states that old. One is proven by a signature
 * of the wallet, since the jobs then get another nonce: no node can make a write happen twice.
 */
export async function findForeign(
  context: LaneContext,
  { nonce, attempts }: Pick<Slot, 'nonce' | 'attempts'>,
  head: bigint,
): Promise<ForeignTransaction | undefined> {
  const { client, wallet, chainId, confirmations } = context
  const blockNumber = await blockOfNonce(context, nonce, head - BigInt(confirmations) + 1n)
  if (blockNumber === undefined) return undefined
  const block = await blockIfKnown(client.getBlock({ blockNumber, includeTransactions: true }))
  const from = wallet.address.toLowerCase()
  const mined = block?.transactions.find(
    (it) => it.from.toLowerCase() === from && it.nonce === nonce,
  )
  const txHash = mined && (await hashSignedBy(wallet.address, mined, chainId))
  if (txHash === undefined || attempts.some(({ hash }) => hash === txHash)) return undefined
  return { txHash, to: mined?.to ?? undefined }
}

/**
 * Returns the first block after which the chain has used a nonce; `undefined` if the newest one has not.
 * It halves the blocks in between, so that a long chain takes some twenty questions.
 */
async function blockOfNonce(
  { client, wallet: { address } }: LaneContext,
  nonce: number,
  newest: bigint,
): Promise<bigint | undefined> {
  const countAt = (blockNumber: bigint) => client.getTransactionCount({ address, blockNumber })
  if (newest < 0n || (await countAt(newest)) <= nonce) return undefined
  let [low, high] = [0n, newest]
  while (low < high) {
    const middle = (low + high) / 2n
    // Most nodes know the state of old blocks no more.
    const isUsed = await countAt(middle).then((count) => count > nonce, refusedAs(false))
    if (isUsed) high = middle
    else low = middle + 1n
  }
  return high
}

/** Returns a function that returns a value for the refusal of a node, and throws any other error. */
const refusedAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isRefusal(error)) return value
    throw error
  }

/** Returns whether the mined attempt of a slot is its cancellation. */
export function isCancelled({ attempts }: Slot, { transactionHash }: TransactionReceipt): boolean {
  return attempts.some(({ hash, cancels }) => cancels && hash === transactionHash)
}

/** Returns the reason why a transaction reverted; `undefined` if it succeeded. */
export async function revertReason(
  context: LaneContext,
  slot: Slot,
  { status, transactionHash: txHash }: TransactionReceipt,
): Promise<Failure | undefined> {
  if (status === 'success') return undefined
  // With its own gas limit: foreign code may run in it.
  return (await findRevertReason(context, slot)) ?? new Failure('transaction/reverted', { txHash })
}
