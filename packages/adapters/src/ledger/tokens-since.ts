import { type Instant, tokenId, toSeconds } from '@heirloom/core'
import type { Hex, PublicClient } from 'viem'
import { memoryRegistryAbi as abi } from './contracts.generated.ts'
import { type MintRecord, mintRecord } from './minted-tokens.ts'
import { callNode } from './node-call.ts'
import { viewOf } from './view.ts'

export declare namespace tokensSince {
  type Input = {
    readonly client: PublicClient
    readonly registry: Hex
    readonly since: Instant
    /** The block to read, the newest when absent. */
    readonly block?: bigint | undefined
  }
}

/**
 * Returns the tokens that a registry minted since a time, by the clock of its chain and in the order of
 * their mints. It reads the state of the contract, and no events.
 *
 * @throws `ledger/unavailable`
 */
export async function* tokensSince({
  client,
  registry: address,
  since,
  block,
}: tokensSince.Input): AsyncGenerator<MintRecord> {
  const view = (name: string) => viewOf(client, { address, abi, name })
  const [totalSupply, recordOf] = [view('totalSupply'), view('recordOf')]
  const read = async (id: bigint) =>
    mintRecord(tokenId(id), await callNode('recordOf', () => recordOf([id], block)))
  const last = BigInt((await callNode('totalSupply', () => totalSupply([], block)))(0))
  let [low, high] = [1n, last + 1n]
  while (low < high) {
    const middle = (low + high) / 2n
    if (toSeconds((await read(middle)).mintedAt) < toSeconds(since)) low = middle + 1n
    else high = middle
  }
  for (let id = low; id <= last; id++) yield read(id)
}
