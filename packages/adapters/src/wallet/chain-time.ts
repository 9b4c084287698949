import { callNode } from '../ledger/acts/index.ts'
import { embeddedChainId, type WalletChain } from './open-chain.ts'

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
 * The most that a chain may be ahead of the clock, in seconds. With the time of a node that lies, what
 * was signed would be valid for years.
 */
const mostAhead = 900

/** The time of the newest block, in seconds since 1970, and the clock, in milliseconds. */
export type Times = Pick<ChainHead, 'time'> & { readonly now: number }

/**
 * Returns the last second in which what is signed now is valid. Blocks that follow each other fast can
 * be ahead of the clock; the clock of a chain for tests may have been turned by years.
 */
export function deadlineAfter(
  { chainId }: Pick<WalletChain, 'chainId'>,
  { time, now }: Times,
): number {
  const clock = Math.floor(now / 1000)
  const latest = chainId === embeddedChainId ? time : Math.min(time, clock + mostAhead)
  return Math.max(latest, clock) + validity
}
