import {
  type Account,
  tokenId as idOf,
  type Listing,
  type MigratingToken,
  type TokenId,
} from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import { decodeAccount, decodeListing, decodeRecord } from '../reads.ts'
import { viewOf } from '../view.ts'

/** A token as a registry records it in a block. */
export type RecordedToken = Omit<MigratingToken, 'rentals' | 'terms' | 'obstacle'>

/** The number of tokens that are read at the same time. */
const batchSize = 16

/** Reads a contract pair as it was in one block. */
export type PairReader = {
  /** Returns every token, in the order of their ids. @throws `ledger/unavailable` */
  tokens(): Promise<readonly RecordedToken[]>
  /** Returns a token that exists. @throws `token/not-found`, `ledger/unavailable` */
  token(tokenId: TokenId): Promise<RecordedToken>
  /** Returns the live terms of a token. @throws `ledger/unavailable` */
  listing(tokenId: TokenId): Promise<Listing>
  /** Returns the end of a rental in seconds; 0 for none. @throws `ledger/unavailable` */
  rentalEnd(tokenId: TokenId, renter: Account): Promise<number>
  /** Returns whether an account has code that is no delegation of its own key. */
  isContract(account: Account): Promise<boolean>
}

/** Returns a reader of a pair in a block, the newest when absent. */
export function pairReader(
  client: PublicClient,
  { registry, marketplace }: ContractPair,
  block?: bigint,
): PairReader {
  const inRegistry = (name: string) =>
    viewOf(client, { address: registry, abi: memoryRegistryAbi, name })
  const inMarket = (name: string) =>
    viewOf(client, { address: marketplace, abi: memoryMarketplaceAbi, name })
  const [totalSupply, recordOf] = [inRegistry('totalSupply'), inRegistry('recordOf')]
  const [listingOf, rentalExpiry] = [inMarket('listingOf'), inMarket('rentalExpiry')]
  const readToken = async (id: bigint): Promise<RecordedToken> => {
    const words = await callNode('recordOf', () => recordOf([id], block))
    const { mintedAt: _, ...record } = decodeRecord(idOf(id), words)
    const licence = Number(words(3))
    const royaltyBps = licence === 0 ? undefined : licence - 1
    return { ...record, royaltyBps, owner: decodeAccount(words(6)) }
  }
  return {
    token: readToken,
    tokens: async () => {
      const last = Number((await callNode('totalSupply', () => totalSupply([], block)))(0))
      const all: RecordedToken[] = []
      while (all.length < last) {
        const count = Math.min(batchSize, last - all.length)
        const ids = Array.from({ length: count }, (_, at) => BigInt(all.length + at + 1))
        all.push(...(await Promise.all(ids.map(readToken))))
      }
      return all
    },
    listing: async (id) =>
      decodeListing(id, await callNode('listingOf', () => listingOf([id], block))),
    rentalEnd: async (id, renter) =>
      Number((await callNode('rentalExpiry', () => rentalExpiry([id, renter], block)))(0)),
    isContract: async (address) => {
      const at = block === undefined ? {} : { blockNumber: block }
      const code = await callNode('eth_getCode', () => client.getCode({ address, ...at }))
      return code !== undefined && !code.startsWith(delegation)
    },
  }
}

/** The code of an account that delegates to a contract (EIP-7702) begins so; its key still signs. */
const delegation = '0xef0100'
