import {
  account,
  digest,
  fromSeconds,
  hash,
  isFailure,
  type Ledger,
  nobody,
  sameAccount,
  tokenId,
  wei,
} from '@heirloom/core'
import type { PublicClient } from 'viem'
import { ask } from './connection.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from './contracts.generated.ts'
import type { ContractPair } from './pair.ts'

type Reads = Pick<Ledger, 'access' | 'provenance' | 'listing'>

/** Returns the reads of a ledger that lives in a contract pair. */
export function reads(client: PublicClient, { registry, marketplace }: ContractPair): Reads {
  const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
  const tokens = { address: registry, abi: memoryRegistryAbi } as const
  return {
    access: async (id, of) => {
      const call = { ...market, functionName: 'accessOf', args: [id, of] } as const
      const [owner, , expiresAt, , contentHash, root, asOf] = await ask('accessOf', () =>
        client.readContract(call),
      )
      if (sameAccount(account(owner), nobody)) return undefined
      return {
        owner: account(owner),
        expiresAt: expiresAt === 0n ? undefined : fromSeconds(Number(expiresAt)),
        contentHash: hash(contentHash),
        digest: digest(root),
        asOf: fromSeconds(Number(asOf)),
      }
    },
    provenance: async (id) => {
      const call = { ...tokens, functionName: 'recordOf', args: [id] } as const
      const record = await orAbsent(ask('recordOf', () => client.readContract(call)))
      if (record === undefined) return undefined
      const [creator, timestamp, parent, , contentHash, root] = record
      return {
        tokenId: id,
        contentHash: hash(contentHash),
        digest: digest(root),
        creator: account(creator),
        parent: parent === 0n ? undefined : tokenId(parent),
        mintedAt: fromSeconds(Number(timestamp)),
      }
    },
    listing: async (id) => {
      const call = { ...market, functionName: 'listingOf', args: [id] } as const
      const terms = await orAbsent(ask('listingOf', () => client.readContract(call)))
      if (terms === undefined) return undefined
      const [seller, price, rentPerDay, forkPrice, royaltyBps] = terms
      return {
        tokenId: id,
        seller: account(seller),
        price: wei(price),
        rentalPricePerDay: wei(rentPerDay),
        forkPrice: wei(forkPrice),
        forkRoyaltyBps: Number(royaltyBps),
      }
    },
  }
}

async function orAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (isFailure(error, 'token/not-found')) return undefined
    throw error
  })
}
