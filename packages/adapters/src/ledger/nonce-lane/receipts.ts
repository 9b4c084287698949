import { Failure } from '@heirloom/core'
import { BlockNotFoundError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { reasonNow } from '../send-once.ts'
import type { Crew } from './lane-context.ts'
import type { Slot } from './slots.ts'

/** How far back another transaction under one of our nonces is looked for, in blocks. */
const searchDepth = 128n

/** Returns the receipt of whatever was mined of a slot; an error of the node is no evidence of absence. */
export async function receiptOf(
  { client }: Crew,
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

/** Returns what the node has of a block; `undefined` where it has none. */
export async function orMissing<T>(block: Promise<T>): Promise<T | undefined> {
  return block.catch((error: unknown) => {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  })
}

/**
 * Tells whether a block with enough confirmations holds a transaction of the wallet under a slot's
 * nonce that is none of ours. That none of ours is found would be no evidence.
 */
export async function isTaken(
  { client, wallet, confirmations }: Crew,
  { nonce, attempts }: Slot,
  head: bigint,
): Promise<boolean> {
  const from = wallet.address.toLowerCase()
  const newest = head - BigInt(confirmations) + 1n
  for (let number = newest; number >= 0n && number > newest - searchDepth; number--) {
    const whole = { blockNumber: number, includeTransactions: true } as const
    const block = await orMissing(client.getBlock(whole))
    const taker = block?.transactions.find(
      (it) => it.from.toLowerCase() === from && it.nonce === nonce,
    )
    if (taker !== undefined) return attempts.every(({ hash }) => hash !== taker.hash)
  }
  return false
}

/** Tells whether what was mined of a slot is the transaction that only takes the place of the others. */
export function isCancelled({ attempts }: Slot, { transactionHash }: TransactionReceipt): boolean {
  return attempts.some(({ hash, cancels }) => cancels && hash === transactionHash)
}

/** Names why a transaction reverted. */
export async function reasonOf(
  crew: Crew,
  slot: Slot,
  { status, transactionHash: txHash }: TransactionReceipt,
): Promise<Failure | undefined> {
  if (status === 'success') return undefined
  return (await reasonNow(crew, slot)) ?? new Failure('transaction/reverted', { txHash })
}
