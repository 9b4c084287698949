import {
  type Account,
  type Digest,
  type Hash,
  type Instant,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { Hex, PublicClient } from 'viem'
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

/** More than the clocks of a server and of its chain ever differ by, in milliseconds. */
export const clockError = 86_400_000

type Range = {
  /** The token before the first one to return; starts with the first token when absent. */
  readonly after?: TokenId | undefined
  /** The time of the first mint to return, by the clock of the chain. */
  readonly since?: Instant | undefined
  /** The block to read, the newest when absent. */
  readonly block?: bigint | undefined
}

export declare namespace mintedTokens {
  type Input = Range & {
    readonly chain: Chain | URL
    readonly contracts: Pick<ContractPair, 'registry'>
  }
}

/**
 * Returns every token of a registry, in the order of their mints. It reads the state of the contract,
 * and no events.
 *
 * @throws `ledger/unavailable`
 */
export const mintedTokens = ({ chain, contracts, ...range }: mintedTokens.Input) =>
  tokensOf(connect(chain), contracts.registry, range)

/** Returns tokens of a registry as `mintedTokens` does, through a client. */
export async function* tokensOf(
  client: PublicClient,
  address: Hex,
  { after, since, block }: Range,
): AsyncGenerator<MintRecord> {
  const view = (name: string) => viewOf(client, { address, abi: memoryRegistryAbi, name })
  const [totalSupply, recordOf] = [view('totalSupply'), view('recordOf')]
  const last = BigInt((await callNode('totalSupply', () => totalSupply([], block)))(0))
  const read = async (it: bigint) =>
    mintRecord(tokenId(it), await callNode('recordOf', () => recordOf([it], block)))
  const isOld = async (it: bigint) => since !== undefined && (await read(it)).mintedAt < since
  const first = await firstAfter(isOld, { low: (after ?? 0n) + 1n, high: last + 1n })
  for (let id = first; id <= last; id += BigInt(batchSize)) {
    const left = Number(last - id) + 1
    const ids = Array.from({ length: Math.min(batchSize, left) }, (_, index) => id + BigInt(index))
    yield* await Promise.all(ids.map(read))
  }
}

/** Returns the first token that is not old; each after it was minted later, or with it. */
async function firstAfter(
  isOld: (id: bigint) => Promise<boolean>,
  range: { readonly low: bigint; readonly high: bigint },
): Promise<bigint> {
  let { low, high } = range
  while (low < high && (await isOld(low))) {
    const middle = (low + high) / 2n
    if (await isOld(middle)) low = middle + 1n
    else high = middle
  }
  return low
}

function mintRecord(id: TokenId, words: Words): MintRecord {
  const { creator, digest, contentHash, parent, mintedAt } = decodeRecord(id, words)
  return {
    tokenId: id,
    creator,
    digest,
    contentHash,
    parent,
    mintedAt,
    isFork: BigInt(words(3)) !== 0n,
    recipient: BigInt(words(7)) === 0n ? decodeAccount(words(6)) : undefined,
  }
}
