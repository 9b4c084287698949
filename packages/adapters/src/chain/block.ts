import type { Hex } from 'viem'
import type { Evm } from './evm.ts'
import type { Entry } from './journal.ts'

/** What a block's successor needs to know of it. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** Returns the newest block. */
export async function latestBlock(evm: Evm): Promise<Block> {
  const params = ['latest', false]
  const block = (await evm.request({ method: 'eth_getBlockByNumber', params })) as {
    readonly [name in keyof Block]: Hex
  }
  return {
    number: Number(block.number),
    hash: block.hash,
    timestamp: Number(block.timestamp),
  }
}

/** Makes `timestamp` the time of the next block, and of calls on the pending one. */
export async function setNextTimestamp(evm: Evm, timestamp: number): Promise<void> {
  await evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] })
}

/** Mines the block of one transaction and returns the transaction's hash. */
export async function mine(
  evm: Evm,
  { raw, timestamp }: Pick<Entry, 'raw' | 'timestamp'>,
): Promise<unknown> {
  await setNextTimestamp(evm, timestamp)
  return evm.request({ method: 'eth_sendRawTransaction', params: [raw] })
}
