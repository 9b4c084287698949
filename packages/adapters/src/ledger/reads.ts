import {
  account,
  digest,
  fromSeconds,
  hash,
  isFailure,
  type Ledger,
  type Listing,
  nobody,
  sameAccount,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import type { Hex, PublicClient } from 'viem'
import { ask } from './connection.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from './contracts.generated.ts'
import type { ContractPair } from './pair.ts'

type Reads = Pick<Ledger, 'access' | 'provenance' | 'listing'>

/**
 * Returns the reads of a ledger that lives in a contract pair. What is owned and recorded is read
 * from the newest block that has the given number of confirmations, its own included.
 */
export function reads(
  client: PublicClient,
  { registry, marketplace }: ContractPair,
  confirmations = 1,
): Reads {
  const confirmed = () => blockWith(client, confirmations)
  const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
  const tokens = { address: registry, abi: memoryRegistryAbi } as const
  return {
    access: async (id, of) => {
      const call = { ...market, functionName: 'accessOf', args: [id, of] } as const
      const [owner, , expiresAt, , contentHash, root, asOf] = await ask('accessOf', async () =>
        client.readContract({ ...call, ...(await confirmed()) }),
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
      const record = await orAbsent(
        ask('recordOf', async () => client.readContract({ ...call, ...(await confirmed()) })),
      )
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
      return listingFrom(id, terms)
    },
  }
}

function listingFrom(
  id: TokenId,
  [seller, price, rentPerDay, forkPrice, royaltyBps]: readonly [
    Hex,
    bigint,
    bigint,
    bigint,
    bigint,
  ],
): Listing {
  return {
    tokenId: id,
    seller: account(seller),
    price: wei(price),
    rentalPricePerDay: wei(rentPerDay),
    forkPrice: wei(forkPrice),
    forkRoyaltyBps: Number(royaltyBps),
  }
}

async function blockWith(client: PublicClient, confirmations: number) {
  if (confirmations === 1) return {}
  const blockNumber = (await client.getBlockNumber()) - BigInt(confirmations) + 1n
  return { blockNumber: blockNumber > 0n ? blockNumber : 0n }
}

async function orAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (isFailure(error, 'token/not-found')) return undefined
    throw error
  })
}
