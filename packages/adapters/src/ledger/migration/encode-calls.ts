import { type LiveTerms, noPrices, wei } from '@heirloom/core'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import {
  memoryMarketplaceAbi as market,
  memoryRegistryAbi as registryAbi,
} from '../contracts.generated.ts'
import { encodeList } from '../encode-list.ts'

/** A call that an account signs for the forwarder, and the wei that go with it. */
export type MigrationCall = {
  readonly from: Hex
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
  /** The most gas of the call. */
  readonly gas: bigint
}

/** A snapshot to mint. `card` is zero for none, and so is `parent`. */
export type MintedItem = {
  readonly recipient: Hex
  readonly contentHash: Hex
  readonly digest: Hex
  readonly parent: bigint
  readonly card: Hex
}

/** The most gas of a call that is no mint: a fork of the deepest lineage with eight claims takes less. */
const gasOfAct = 1_500_000n

/** Returns the call with which a creator mints snapshots. */
export function mintCall(
  { registry }: ContractPair,
  creator: Hex,
  items: readonly MintedItem[],
): MigrationCall {
  const plain = items.map(({ card: _, ...item }) => item)
  const cards = items.map(({ card }) => card)
  const args = [plain, cards] as const
  return {
    from: creator,
    to: registry,
    value: 0n,
    data: encodeFunctionData({ abi: registryAbi, functionName: 'mintDescribed', args }),
    gas: 100_000n + 150_000n * BigInt(items.length),
  }
}

/** The forks and the rentals of a token that its creator holds. */
export type SetUp = {
  readonly id: bigint
  readonly holder: Hex
  readonly forks: readonly {
    readonly creator: Hex
    readonly recipient: Hex
    readonly royaltyBps: number
  }[]
  readonly rentals: readonly { readonly renter: Hex; readonly days: number }[]
}

/** The price of each fork, and of each day of a rental, while a token is set up: paid to its holder. */
const least = wei(1n)

/**
 * Returns the calls that fork and rent out a token. It is offered at the beginning and no longer at the
 * end; carried out in one transaction, nobody else can take the offer.
 */
export function setUpCalls(pair: ContractPair, setUp: SetUp): readonly MigrationCall[] {
  const { id, holder, forks, rentals } = setUp
  const list = (terms: LiveTerms) => actCall(pair.marketplace, holder, encodeList(id, terms))
  const offer = (forkRoyaltyBps: number) =>
    list({ ...noPrices, rentalPricePerDay: least, forkPrice: least, forkRoyaltyBps })
  const rents = rentals.map(({ renter, days }) => ({
    ...actCall(pair.marketplace, holder, encodeRent(id, renter, days)),
    value: least * BigInt(days),
  }))
  const licences = forks.flatMap((fork, index) => {
    const call = {
      ...actCall(pair.marketplace, fork.creator, encodeFork(id, fork.recipient)),
      value: least,
    }
    const isNew = forks[index - 1]?.royaltyBps !== fork.royaltyBps
    return isNew ? [offer(fork.royaltyBps), call] : [call]
  })
  const first = rents.length === 0 ? [] : [offer(0), ...rents]
  return [...first, ...licences, list({ ...noPrices, forkRoyaltyBps: 0 })]
}

/** Returns the calls that give tokens to their owners. */
export const handOverCalls = (
  { registry }: ContractPair,
  tokens: readonly { readonly id: bigint; readonly from: Hex; readonly to: Hex }[],
): readonly MigrationCall[] =>
  // Not the safe transfer: its receiver could refuse, and the creator would keep the token.
  tokens.map(({ id, from, to }) => {
    const args = [from, to, id] as const
    const data = encodeFunctionData({ abi: registryAbi, functionName: 'transferFrom', args })
    return actCall(registry, from, data)
  })

/** Returns the calls that offer tokens of an owner, one for each: a list of many is never relayed. */
export const listCalls = (
  { marketplace }: ContractPair,
  owner: Hex,
  offers: readonly { readonly id: bigint; readonly terms: LiveTerms }[],
): readonly MigrationCall[] =>
  offers.map(({ id, terms }) => actCall(marketplace, owner, encodeList(id, terms)))

const actCall = (to: Hex, from: Hex, data: Hex): MigrationCall => ({
  from: getAddress(from),
  to,
  data,
  value: 0n,
  gas: gasOfAct,
})

function encodeRent(id: bigint, renter: Hex, days: number): Hex {
  const args = [id, renter, BigInt(days)] as const
  return encodeFunctionData({ abi: market, functionName: 'rent', args })
}

function encodeFork(id: bigint, recipient: Hex): Hex {
  const args = [id, recipient, 10_000n] as const
  return encodeFunctionData({ abi: market, functionName: 'fork', args })
}
