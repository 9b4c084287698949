import { type Hex, type HistoryEntry, hash, type TokenEvent, type TokenId } from '@heirloom/core'
import { blockTime, type ChainState } from './chain-state.ts'

/** An event that a write emits. */
export type ChainEvent = TokenEvent & { readonly tokenId: TokenId }

/** Adds a block with one transaction and these events, and notifies the listeners. */
export function recordBlock(
  state: ChainState,
  events: readonly ChainEvent[],
): { readonly txHash: Hex } {
  state.transactions += 1n
  const block = state.transactions
  const position = {
    block,
    blockHash: hash(`0x${digits(block, 8)}${'b1'.repeat(28)}`),
    txHash: `0x${digits(block, 64)}` as const,
    at: blockTime(state),
  }
  for (const [logIndex, event] of events.entries()) {
    const id = `${block}-${logIndex}-${digits(block, 8)}`
    state.history.push({ ...position, logIndex, id, ...event } satisfies HistoryEntry)
  }
  for (const listener of state.listeners) listener()
  return { txHash: position.txHash }
}

const digits = (value: bigint, count: number) => value.toString(16).padStart(count, '0')
