import {
  type Account,
  type Digest,
  type Hash,
  type Instant,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { type Chain, connect } from './connection.ts'
import type { ContractPair } from './contract-pair.ts'
import { memoryRegistryAbi } from './contracts.generated.ts'
import { callNode } from './node-call.ts'
import { decodeAccount, decodeRecord } from './reads.ts'
import { viewOf, type Words } from './view.ts'

/** A token, its creator, the digest of its blob and its content hash. */
export type MintedToken = {
  readonly tokenId: TokenId
  readonly creator: Account
  readonly digest: Digest
  readonly contentHash: Hash
  /**
   * True for a licensed fork, which has the content of its source. Its payer chooses the account
   * that becomes its creator.
   */
  readonly isFork: boolean
}

/** A token as its mint recorded it. */
export type MintRecord = MintedToken & {
  readonly parent: TokenId | undefined
  readonly mintedAt: Instant
  /** The account that it was minted for; `undefined` when the token was transferred since. */
  readonly recipient: Account | undefined
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
}: mintedTokens.Input): AsyncGenerator<MintRecord> {
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
        return mintRecord(tokenId(it), words)
      }),
    )
  }
}

/** Returns a token from the words of `recordOf`. */
export function mintRecord(id: TokenId, words: Words): MintRecord {
  const { creator, digest, contentHash, parent, mintedAt } = decodeRecord(id, words)
  return {
    ...{ tokenId: id, creator, digest, contentHash, parent, mintedAt },
    isFork: BigInt(words(3)) !== 0n,
    recipient: BigInt(words(7)) === 0n ? decodeAccount(words(6)) : undefined,
  }
}
