import { Failure } from '@heirloom/core'
import { BlockNotFoundError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { findRevertReason } from '../send-once.ts'
import type { LaneContext } from './lane-context.ts'
import type { ForeignTransaction } from './rival-watch.ts'
import { hashSignedBy } from './signed-transaction.ts'
import type { Slot } from './slots.ts'

/** The number of blocks that are searched for another transaction under one of our nonces. */
const searchDepth = 128n

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
 * its attempts. None proves nothing: the search is bounded. One is proven by a signature of the
 * wallet, since the jobs then get another nonce: no node can make a write happen twice.
 */
export async function findForeign(
  { client, wallet, chainId, confirmations }: LaneContext,
  { nonce, attempts }: Pick<Slot, 'nonce' | 'attempts'>,
  head: bigint,
): Promise<ForeignTransaction | undefined> {
  const from = wallet.address.toLowerCase()
  const newest = head - BigInt(confirmations) + 1n
  for (let number = newest; number >= 0n && number > newest - searchDepth; number--) {
    const request = { blockNumber: number, includeTransactions: true } as const
    const block = await blockIfKnown(client.getBlock(request))
    const mined = block?.transactions.find(
      (it) => it.from.toLowerCase() === from && it.nonce === nonce,
    )
    if (mined === undefined) continue
    const txHash = await hashSignedBy(wallet.address, mined, chainId)
    if (txHash === undefined || attempts.some(({ hash }) => hash === txHash)) return undefined
    return { txHash, to: mined.to ?? undefined }
  }
  return undefined
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
