import { type Happening, type Hex, type HistoryEntry, hash, type TokenId } from '@heirloom/core'
import { blockTime, type ChainState } from './chain-state.ts'

/** What a write made happen, in the order of the contracts' events. */
export type Event = Happening & { readonly tokenId: TokenId }

/** Makes a block of one transaction with these events, and tells who listens. */
export function recordBlock(state: ChainState, events: readonly Event[]): { readonly txHash: Hex } {
  state.transactions += 1n
  const block = state.transactions
  const place = {
    block,
    blockHash: hash(`0x${digits(block, 8)}${'b1'.repeat(28)}`),
    txHash: `0x${digits(block, 64)}` as const,
    at: blockTime(state),
  }
  for (const [logIndex, event] of events.entries()) {
    const id = `${block}-${logIndex}-${digits(block, 8)}`
    state.history.push({ ...place, logIndex, id, ...event } satisfies HistoryEntry)
  }
  for (const listener of state.listeners) listener()
  return { txHash: place.txHash }
}

const digits = (value: bigint, count: number) => value.toString(16).padStart(count, '0')
