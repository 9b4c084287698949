import {
  type Account,
  account,
  type Digest,
  digest,
  type Hash,
  hash,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { type Chain, connect } from './connection.ts'
import type { ContractPair } from './contract-pair.ts'
import { memoryRegistryAbi } from './contracts.generated.ts'
import { callNode } from './node-call.ts'
import { viewOf } from './view.ts'

/** A token, its creator, the digest of its blob and its content hash. */
export type MintedToken = {
  readonly tokenId: TokenId
  readonly creator: Account
  readonly digest: Digest
  readonly contentHash: Hash
}

/** The number of tokens that are read at the same time. */
const batchSize = 16

export declare namespace mintedTokens {
  type Input = {
    readonly chain: Chain | URL
    readonly contracts: Pick<ContractPair, 'registry'>
    /** The token before the first one to return; starts with the first token when absent. */
    readonly after?: TokenId | undefined
  }
}

/**
 * Returns every token of a registry, in the order of their mints.
 *
 * @throws `ledger/unavailable`
 */
export async function* mintedTokens({
  chain,
  contracts: { registry: address },
  after,
}: mintedTokens.Input): AsyncGenerator<MintedToken> {
  const client = connect(chain)
  const view = (name: string) => viewOf(client, { address, abi: memoryRegistryAbi, name })
  const [totalSupply, recordOf] = [view('totalSupply'), view('recordOf')]
  const last = BigInt((await callNode('totalSupply', () => totalSupply([])))(0))
  for (let id = (after ?? 0n) + 1n; id <= last; id += BigInt(batchSize)) {
    const left = Number(last - id) + 1
    const ids = Array.from({ length: Math.min(batchSize, left) }, (_, index) => id + BigInt(index))
    yield* await Promise.all(
      ids.map(async (it) => {
        const words = await callNode('recordOf', () => recordOf([it]))
        const creator = account(`0x${words(0).slice(-40)}`)
        const record = { digest: digest(words(5)), contentHash: hash(words(4)) }
        return { tokenId: tokenId(it), creator, ...record }
      }),
    )
  }
}
