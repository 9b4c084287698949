import { Failure } from '@heirloom/core'
import { BlockNotFoundError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { causes } from '../../../platform/error-words.ts'
import { isRefusal } from '../../node-call.ts'
import { WrongAnswer, wrongReceipt } from '../../sound-receipts.ts'
import { findRevertReason } from '../../transaction.ts'
import { mintedPairs } from '../job.ts'
import type { LaneContext } from '../lane-context.ts'
import type { ForeignTransaction } from '../rival-watch.ts'
import { hashSignedBy } from '../signed-transaction.ts'
import { type Attempt, type Slot, transactionOf } from '../slots.ts'
import { showsAct } from './known-acts.ts'

/** The sight of a transaction: its receipt, none, or an answer that cannot be right and proves nothing. */
export type Sight = TransactionReceipt | 'wrong' | undefined

/**
 * Returns the receipt of the attempt that was mined; `undefined` only if the node has none. A receipt
 * that contradicts itself, or that succeeded without the events of the act, is a wrong answer.
 */
export async function findReceipt(context: LaneContext, slot: Slot): Promise<Sight> {
  for (const attempt of slot.attempts.toReversed()) {
    const receipt = await readReceipt(context, slot, attempt).catch((error: unknown) => {
      const wrong = [...causes(error)].find((cause) => cause instanceof WrongAnswer)
      if (wrong === undefined) throw error
      reportWrong(context, slot, wrong)
      return 'wrong' as const
    })
    if (receipt !== undefined) return receipt
  }
  return undefined
}

/** Reports an answer that cannot be right; it is asked again. */
export function reportWrong({ observe }: LaneContext, slot: Slot, cause: unknown): void {
  const facts = { operation: 'eth_getTransactionReceipt' }
  const error = new Failure('ledger/unavailable', facts, { cause })
  observe({ kind: 'trouble', error, on: transactionOf(slot, []) })
}

async function readReceipt(
  { client }: LaneContext,
  slot: Slot,
  { hash, cancels }: Attempt,
): Promise<TransactionReceipt | undefined> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  })
  const hasSucceeded = receipt?.status === 'success' && !cancels
  if (hasSucceeded && !showsAct(slot, receipt.logs))
    throw wrongReceipt(hash, 'lacks the events of its act')
  return receipt
}

/** Returns a requested block; `undefined` if the node does not have it. */
export async function blockIfKnown<T>(block: Promise<T>): Promise<T | undefined> {
  return block.catch((error: unknown) => {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  })
}

/**
 * Returns the transaction of the wallet in a confirmed block that has the slot's nonce, which is used,
 * and is none of its attempts. None proves nothing: the node may not know states that old. One is proven by a signature
 * of the wallet, since the jobs then get another nonce: no node can make a write happen twice.
 */
export async function findForeign(
  context: LaneContext,
  { nonce, attempts }: Pick<Slot, 'nonce' | 'attempts'>,
  head: bigint,
): Promise<ForeignTransaction | undefined> {
  const { client, wallet, chainId } = context
  const blockNumber = await blockOfNonce(context, nonce, head)
  const block = await blockIfKnown(client.getBlock({ blockNumber, includeTransactions: true }))
  const from = wallet.address.toLowerCase()
  const mined = block?.transactions.find(
    (it) => it.from.toLowerCase() === from && it.nonce === nonce,
  )
  const txHash = mined && (await hashSignedBy(wallet.address, mined, chainId))
  if (txHash === undefined || attempts.some(({ hash }) => hash === txHash)) return undefined
  return { txHash, to: mined?.to ?? undefined }
}

/** Returns whether a confirmed block used a nonce, as far as the node knows the states of blocks. */
export async function isUsed(context: LaneContext, nonce: number, head: bigint): Promise<boolean> {
  const newest = newestConfirmed(context, head)
  return newest >= 0n && (await isUsedAt(context, nonce, newest).catch(refusedAs(true)))
}

const newestConfirmed = ({ confirmations }: LaneContext, head: bigint): bigint =>
  head - BigInt(confirmations) + 1n

async function isUsedAt(
  { client, wallet: { address } }: LaneContext,
  nonce: number,
  blockNumber: bigint,
): Promise<boolean> {
  return (await client.getTransactionCount({ address, blockNumber })) > nonce
}

/**
 * Returns the first block after which the chain has used a nonce that it has used by now. It halves the
 * blocks in between, so that a long chain takes some twenty questions.
 */
async function blockOfNonce(context: LaneContext, nonce: number, head: bigint): Promise<bigint> {
  let [low, high] = [0n, newestConfirmed(context, head)]
  while (low < high) {
    const middle = (low + high) / 2n
    // Most nodes know the state of old blocks no more.
    if (await isUsedAt(context, nonce, middle).catch(refusedAs(false))) high = middle
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

/**
 * Returns the reason why a transaction reverted; `undefined` if it succeeded. A mint that was mined has
 * no other reason than that: one with the name of a refusal would count as never signed.
 */
export async function revertReason(
  context: LaneContext,
  slot: Slot,
  { status, transactionHash: txHash }: TransactionReceipt,
): Promise<Failure | undefined> {
  if (status === 'success') return undefined
  const reverted = new Failure('transaction/reverted', { txHash })
  if (mintedPairs(slot.data) !== undefined) return reverted
  // With its own gas limit: foreign code may run in it.
  return (await findRevertReason(context, slot)) ?? reverted
}
