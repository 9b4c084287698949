import { account, fromSeconds, sameAccount } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import { wrongReceipt } from '../sound-receipts.ts'
import { tokensSince } from '../tokens-since.ts'
import { mintedPairs } from './job.ts'
import type { LaneContext } from './lane-context.ts'
import type { PendingSlots } from './pending-slots.ts'
import { blockIfKnown, isCancelled, reportWrong } from './receipts.ts'
import type { Slot } from './slots.ts'

type Shown = { readonly slot: Slot; readonly receipt: TransactionReceipt }

/**
 * Returns whether a transaction ended as its receipt says. Its block must be the one that the chain has
 * at its height. That it did nothing, because it failed or was cancelled, needs more than one answer: a
 * second receipt at the next look, the list of the block, its events, and for mints the tokens themselves.
 */
export async function isConfirmed(
  context: LaneContext,
  pending: PendingSlots,
  { slot, receipt }: Shown,
): Promise<boolean> {
  const block = await blockOf(context, pending, receipt)
  const doubt = block === undefined ? 'is of a block that the chain does not have' : undefined
  const isEmpty =
    slot.jobs.length > 0 && (receipt.status !== 'success' || isCancelled(slot, receipt))
  if (block !== undefined && !isEmpty) return true
  if (block !== undefined && isFirstLook(pending, { slot, receipt })) return false
  const found = doubt ?? (block && (await findEffect(context, { slot, receipt }, block)))
  if (found === undefined) return true
  reportWrong(context, slot, wrongReceipt(receipt.transactionHash, found))
  pending.failures.delete(slot.nonce)
  return false
}

/** Returns whether a slot is seen for the first time to have done nothing in this block. */
function isFirstLook({ failures }: PendingSlots, { slot, receipt }: Shown): boolean {
  const isFirst = failures.get(slot.nonce) !== receipt.blockHash
  failures.set(slot.nonce, receipt.blockHash)
  return isFirst
}

type Block = { readonly timestamp: bigint; readonly transactions: readonly unknown[] }

/** Returns the block of a receipt; `undefined` if the chain has another one at its height, or none. */
async function blockOf(
  { client }: LaneContext,
  { head }: PendingSlots,
  { blockHash, blockNumber }: TransactionReceipt,
): Promise<Block | undefined> {
  if (head?.hash === blockHash) return head
  const block = await blockIfKnown(client.getBlock({ blockNumber }))
  return block?.hash === blockHash ? block : undefined
}

/** Returns what speaks against a receipt by which a transaction did nothing; `undefined` if nothing does. */
async function findEffect(
  { client, wallet }: LaneContext,
  { slot, receipt }: Shown,
  block: Block,
): Promise<string | undefined> {
  const { transactionHash, blockNumber } = receipt
  if (!block.transactions.includes(transactionHash)) return 'is of a block that does not list it'
  const range = { fromBlock: blockNumber, toBlock: blockNumber }
  const logs = await client.getLogs({ address: slot.to, ...range })
  const isOurs = (hash: unknown) => slot.attempts.some((attempt) => attempt.hash === hash)
  if (logs.some((log) => isOurs(log.transactionHash))) return 'hides the events that its block has'
  const pairs = mintedPairs(slot.data) ?? []
  const since = fromSeconds(Number(block.timestamp))
  const tokens = pairs.length === 0 ? [] : tokensSince({ client, registry: slot.to, since })
  for await (const token of tokens) {
    if (token.mintedAt > since) break
    const isPair = ({ contentHash, digest }: (typeof pairs)[number]) =>
      token.contentHash === contentHash && token.digest === digest
    if (sameAccount(token.creator, account(wallet.address)) && pairs.some(isPair))
      return 'hides a token'
  }
  return undefined
}
