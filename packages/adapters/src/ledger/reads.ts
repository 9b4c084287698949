import {
  type Access,
  type Account,
  account,
  type Dollars,
  digest,
  dollars,
  Failure,
  fromSeconds,
  type Holding,
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
export type Reads = Pick<Ledger, 'access' | 'holding' | 'provenance' | 'listing'>

/**
 * Returns the reads of a ledger in a contract pair. Access and provenance are read at the newest
 * block with the given number of confirmations, its own included; listings at the head.
 */
export function reads(
  client: Pick<PublicClient, 'request' | 'getBlockNumber'>,
  { registry, marketplace }: ContractPair,
  confirmations = 1,
): Reads {
  const market = { address: marketplace, abi: memoryMarketplaceAbi }
  const accessOf = viewOf(client, { ...market, name: 'accessOf' })
  const listingOf = viewOf(client, { ...market, name: 'listingOf' })
  const ofRegistry = { address: registry, abi: memoryRegistryAbi }
  const recordOf = viewOf(client, { ...ofRegistry, name: 'recordOf' })
  const holdingOf = viewOf(client, { ...ofRegistry, name: 'holdingOf' })
  const holdingAt = async (id: TokenId, block: Hex): Promise<Holding | undefined> => {
    const [held, words] = await Promise.all([
      orAbsent(callNode('holdingOf', () => holdingOf([id], block))),
      callNode('accessOf', () => accessOf([id, nobody], block)),
    ])
    if (held === undefined || decodeAccount(words(0)) === nobody) return undefined
    return { ...decodeAccess(words), transferCount: BigInt(held(1)) }
  }
  return {
    access: (id, of) =>
      findAtHead(client, confirmations, async (block) => {
        const words = await callNode('accessOf', () => accessOf([id, of], block))
        return decodeAccount(words(0)) === nobody ? undefined : decodeAccess(words)
      }),
    holding: async (id) => {
      const newest = await readBlock(client, 'latest')
      const found = await holdingAt(id, newest.hash)
      if (confirmations <= 1 || found === undefined) return found
      const number = newest.number - BigInt(confirmations) + 1n
      const confirmed = await readBlock(client, `0x${(number > 0n ? number : 0n).toString(16)}`)
      const before = await holdingAt(id, confirmed.hash)
      return before !== undefined && isSameHolding(before, found) ? before : undefined
    },
    provenance: (id) =>
      findAtHead(client, confirmations, async (block) => {
        const words = await orAbsent(callNode('recordOf', () => recordOf([id], block)))
        return words && decodeRecord(id, words)
      }),
    listing: (id) =>
      findAtHead(client, 1, async (block) => {
        const words = await orAbsent(callNode('listingOf', () => listingOf([id], block)))
        return words && decodeListing(id, words)
      }),
  }
}

/**
 * Returns the number and the hash of a block.
 *
 * @throws `ledger/unavailable`
 */
const readBlock = (client: Pick<PublicClient, 'request'>, tag: 'latest' | Hex) =>
  callNode('eth_getBlockByNumber', async () => {
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    if (!block?.hash || !block.number) throw new Error('The node has no such block.')
    return { hash: block.hash, number: BigInt(block.number) }
  })

const isSameHolding = (one: Holding, other: Holding): boolean =>
  one.owner === other.owner &&
  one.transferCount === other.transferCount &&
  one.digest === other.digest

function decodeAccess(words: Words): Access {
  const expiresAt = BigInt(words(2))
  return {
    owner: decodeAccount(words(0)),
    expiresAt: expiresAt === 0n ? undefined : fromSeconds(Number(expiresAt)),
    contentHash: hash(words(4)),
    digest: digest(words(5)),
    asOf: fromSeconds(Number(words(6))),
    source: { tokenId: tokenId(BigInt(words(7))), creator: decodeAccount(words(8)) },
  }
}

/**
 * Decodes what `recordOf` returns of the provenance of a token.
 *
 * @throws `ledger/unavailable` for zeros, which are the answer of a node that lacks the state
 */
export function decodeRecord(id: TokenId, words: Words): Provenance {
  const parent = BigInt(words(2))
  if (decodeAccount(words(0)) === nobody) {
    const cause = new Error(`The node shows zeros as the record of token ${id}.`)
    throw new Failure('ledger/unavailable', { operation: 'recordOf' }, { cause })
  }
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

/**
 * Finds something at the newest block with so many confirmations. What is absent there is asked for
 * again at a block by its number: a node that lags behind does not have it, and cannot say so.
 *
 * @throws `ledger/unavailable`
 */
async function findAtHead<T>(
  client: Pick<PublicClient, 'getBlockNumber'>,
  confirmations: number,
  find: (block: bigint | undefined) => Promise<T | undefined>,
): Promise<T | undefined> {
  const newest = () => callNode('eth_blockNumber', () => client.getBlockNumber({ cacheTime: 0 }))
  if (confirmations > 1) {
    const block = (await newest()) - BigInt(confirmations) + 1n
    return find(block > 0n ? block : 0n)
  }
  return (await find(undefined)) ?? find(await newest())
}

async function orAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (isFailure(error, 'token/not-found')) return undefined
    throw error
  })
}
