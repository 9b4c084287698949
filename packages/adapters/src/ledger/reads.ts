import {
  type Account,
  account,
  type Dollars,
  digest,
  dollars,
  fromSeconds,
  hash,
  isFailure,
  type Ledger,
  type Listing,
  nobody,
  noPrices,
  type Prices,
  type Provenance,
  type TokenId,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import { checksumAddress, type Hex, type PublicClient } from 'viem'
import type { ContractPair } from './contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from './contracts.generated.ts'
import { callNode } from './node-call.ts'
import { viewOf, type Words } from './view.ts'

/** The reads of a ledger. */
export type Reads = Pick<Ledger, 'access' | 'provenance' | 'listing'>

/**
 * Returns the reads of a ledger in a contract pair. Access and provenance are read at the newest
 * block with the given number of confirmations, its own included; listings at the head.
 */
export function reads(
  client: PublicClient,
  { registry, marketplace }: ContractPair,
  confirmations = 1,
): Reads {
  const confirmedBlock = () => newestConfirmed(client, confirmations)
  const market = { address: marketplace, abi: memoryMarketplaceAbi }
  const accessOf = viewOf(client, { ...market, name: 'accessOf' })
  const listingOf = viewOf(client, { ...market, name: 'listingOf' })
  const recordOf = viewOf(client, { address: registry, abi: memoryRegistryAbi, name: 'recordOf' })
  return {
    access: async (id, of) => {
      const words = await callNode('accessOf', async () =>
        accessOf([id, of], await confirmedBlock()),
      )
      const owner = decodeAccount(words(0))
      if (owner === nobody) return undefined
      const expiresAt = BigInt(words(2))
      return {
        owner,
        expiresAt: expiresAt === 0n ? undefined : fromSeconds(Number(expiresAt)),
        contentHash: hash(words(4)),
        digest: digest(words(5)),
        asOf: fromSeconds(Number(words(6))),
        source: { tokenId: tokenId(BigInt(words(7))), creator: decodeAccount(words(8)) },
      }
    },
    provenance: async (id) => {
      const words = await orAbsent(
        callNode('recordOf', async () => recordOf([id], await confirmedBlock())),
      )
      return words === undefined ? undefined : decodeRecord(id, words)
    },
    listing: async (id) => {
      const words = await orAbsent(callNode('listingOf', () => listingOf([id])))
      return words === undefined ? undefined : decodeListing(id, words)
    },
  }
}

/** Decodes what `recordOf` returns of the provenance of a token. */
export function decodeRecord(id: TokenId, words: Words): Provenance {
  const parent = BigInt(words(2))
  return {
    tokenId: id,
    contentHash: hash(words(4)),
    digest: digest(words(5)),
    creator: decodeAccount(words(0)),
    parent: parent === 0n ? undefined : tokenId(parent),
    mintedAt: fromSeconds(Number(words(1))),
  }
}

/** Decodes what `listingOf` returns. */
export function decodeListing(id: TokenId, words: Words): Listing {
  return {
    tokenId: id,
    seller: decodeAccount(words(0)),
    ...decodePrices(words),
    forkRoyaltyBps: Number(words(4)),
    effectiveRoyaltyBps: Number(words(5)),
    totalRoyaltyBps: Number(words(6)),
    canBeForked: BigInt(words(7)) === 1n,
  }
}

function decodePrices(words: Words): Prices<Wei> & Pick<Listing, 'dollars'> {
  const asset = decodeAccount(words(8))
  const prices = <Amount extends Wei | Dollars>(unit: (amount: bigint) => Amount) => ({
    price: unit(BigInt(words(1))),
    rentalPricePerDay: unit(BigInt(words(2))),
    forkPrice: unit(BigInt(words(3))),
  })
  return asset === nobody ? prices(wei) : { ...noPrices, dollars: { asset, ...prices(dollars) } }
}

/** Decodes a word that is an address. */
export const decodeAccount = (word: Hex): Account => account(checksumAddress(`0x${word.slice(26)}`))

/** Returns the height of the newest block with so many confirmations; `undefined` for the head. */
async function newestConfirmed(
  client: PublicClient,
  confirmations: number,
): Promise<bigint | undefined> {
  if (confirmations === 1) return undefined
  const block = (await client.getBlockNumber()) - BigInt(confirmations) + 1n
  return block > 0n ? block : 0n
}

async function orAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (isFailure(error, 'token/not-found')) return undefined
    throw error
  })
}
