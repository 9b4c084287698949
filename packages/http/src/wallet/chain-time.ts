import { callNode } from '@heirloom/adapters/internal/acts'
import type { WalletChain } from './open-chain.ts'

/** The newest block of a chain. */
export type ChainHead = {
  readonly height: bigint
  /** Seconds since 1970. */
  readonly time: number
}

/** The time for which what was signed is valid, in seconds. */
const validity = 600

/**
 * Reads the newest block.
 *
 * @throws `ledger/unavailable`
 */
export async function readHead({ client }: Pick<WalletChain, 'client'>): Promise<ChainHead> {
  const { number, timestamp } = await callNode('eth_getBlockByNumber', () => client.getBlock())
  return { height: number, time: Number(timestamp) }
}

/**
 * Returns the last second in which what is signed now is valid. Blocks that follow each other fast can
 * be ahead of the clock.
 */
export const deadlineAfter = ({ time }: ChainHead, now: number): number =>
  Math.max(time, Math.floor(now / 1000)) + validity
