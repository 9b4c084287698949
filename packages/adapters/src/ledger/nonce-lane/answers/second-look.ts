import { account, fromSeconds, sameAccount } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import { tokensOfMints } from '../../../store/job-queries.ts'
import { type MintedToken, tokensOf } from '../../minted-tokens.ts'
import { wrongReceipt } from '../../sound-receipts.ts'
import { type MintItem, mintedPairs } from '../job.ts'
import type { LaneContext } from '../lane-context.ts'
import type { PendingSlots } from '../pending-slots.ts'
import type { Slot } from '../slots.ts'
import { blockIfKnown, isCancelled, reportWrong } from './receipts.ts'

type Shown = { readonly slot: Slot; readonly receipt: TransactionReceipt }

/**
 * Returns whether a transaction ended as its receipt says. Its block must be the one that the chain has
 * at its height. That it did nothing, because it failed or was cancelled, needs more than one answer: a
 * second receipt at the next look, the list of the block, its events, and for mints the tokens themselves.
 */
export async function isConfirmed(
  context: LaneContext,
  pending: PendingSlots,
  shown: Shown,
): Promise<boolean> {
  const block = await blockOf(context, pending, shown.receipt)
  if (block === undefined) return doubt(context, pending, shown, 'is of a block that is not here')
  if (hasEffect(shown)) return true
  if (isFirstLook(pending, shown)) return false
  const effect = await findEffect(context, shown, block)
  return effect === undefined || doubt(context, pending, shown, effect)
}

/** Returns whether a transaction did something, or had nothing to do. */
const hasEffect = ({ slot, receipt }: Shown): boolean =>
  slot.jobs.length === 0 || (receipt.status === 'success' && !isCancelled(slot, receipt))

/** Reports why a receipt is not believed, and forgets that it was seen. */
function doubt(
  context: LaneContext,
  { failures }: PendingSlots,
  { slot, receipt }: Shown,
  fault: string,
): false {
  reportWrong(context, slot, wrongReceipt(receipt.transactionHash, fault))
  failures.delete(slot.nonce)
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
  context: LaneContext,
  { slot, receipt }: Shown,
  block: Block,
): Promise<string | undefined> {
  const { transactionHash, blockNumber } = receipt
  if (!block.transactions.includes(transactionHash)) return 'is of a block that does not list it'
  const range = { fromBlock: blockNumber, toBlock: blockNumber }
  const logs = await context.client.getLogs({ address: slot.to, ...range })
  const isOurs = (hash: unknown) => slot.attempts.some((attempt) => attempt.hash === hash)
  if (logs.some((log) => isOurs(log.transactionHash))) return 'hides the events that its block has'
  return (await hasToken(context, slot, block)) ? 'hides a token that was minted' : undefined
}

/** Returns whether a pair of a slot was minted since a block, and by no other job of the lane. */
async function hasToken(context: LaneContext, slot: Slot, block: Block) {
  const { client, wallet } = context
  const pairs = mintedPairs(slot.data)
  if (pairs === undefined) return false
  const since = fromSeconds(Number(block.timestamp))
  const [creator, keys] = [account(wallet.address), new Set(pairs.map(keyOf))]
  for await (const token of tokensOf(client, slot.to, { since })) {
    if (token.mintedAt > since) return false
    const isPair = sameAccount(token.creator, creator) && keys.has(keyOf(token))
    if (isPair && !(await isOfOther(context, slot, token))) return true
  }
  return false
}

/** Returns whether another job has a token, as a confirmed receipt says. */
async function isOfOther({ store, lane }: LaneContext, { jobs }: Slot, token: MintedToken) {
  const { digest, tokenId } = token
  return (await tokensOfMints(store, { lane, digest, except: jobs })).has(String(tokenId))
}

const keyOf = ({ contentHash, digest }: Pick<MintItem, 'contentHash' | 'digest'>): string =>
  `${contentHash} ${digest}`
