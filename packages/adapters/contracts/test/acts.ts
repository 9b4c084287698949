import {
  type Account,
  type Address,
  type ContractEventName,
  type Hex,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import type { ContractHarness } from './contract-harness.ts'

/** A 32-byte word with a small number in it. */
export function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** The terms of a token for sale, for rent and for fork. */
export const everyOffer = { price: 1_000n, rentPerDay: 10n, forkPrice: 100n, royaltyBps: 500n }
/** The terms of a listing. */
export type Offer = typeof everyOffer

type MarketEvent = ContractEventName<typeof memoryMarketplaceAbi>

/** Returns the arguments of the marketplace's events of one name in a transaction. */
export function marketEvents(
  { logs }: TransactionReceipt,
  eventName: MarketEvent,
): readonly unknown[] {
  return parseEventLogs({ abi: memoryMarketplaceAbi, logs, eventName }).map(({ args }) => args)
}

/** Returns the usual actions, each with the exact payment. */
export function actsOn({ registry, marketplace, mined }: ContractHarness) {
  return {
    /** Mints a token and returns its id. */
    mint: async (
      account: Account,
      recipient: Address = account.address,
      parent = 0n,
    ): Promise<bigint> => {
      await mined(registry.write.mint([recipient, word(7), word(8), parent], { account }))
      return registry.read.totalSupply()
    },
    /** Lists a token, by default for every kind of sale. */
    list: (
      account: Account,
      tokenId: bigint,
      offer: Partial<Offer> = everyOffer,
    ): Promise<TransactionReceipt> => {
      const { price = 0n, rentPerDay = 0n, forkPrice = 0n, royaltyBps = 0n } = offer
      const terms = [tokenId, price, rentPerDay, forkPrice, royaltyBps] as const
      return mined(marketplace.write.list(terms, { account }))
    },
    /** Buys a token for the account that pays. */
    buy: async (account: Account, tokenId: bigint): Promise<TransactionReceipt> => {
      const [, value] = await marketplace.read.listingOf([tokenId])
      return mined(marketplace.write.buy([tokenId, account.address], { account, value }))
    },
    /** Rents a token for the account that pays. */
    rent: async (account: Account, tokenId: bigint, days: bigint): Promise<TransactionReceipt> => {
      const [, , perDay] = await marketplace.read.listingOf([tokenId])
      const payment = { account, value: perDay * days }
      return mined(marketplace.write.rent([tokenId, account.address, days], payment))
    },
    /** Forks a token for the account that pays and returns the id of the fork. */
    fork: async (account: Account, parent: bigint): Promise<bigint> => {
      const [, , , value] = await marketplace.read.listingOf([parent])
      await mined(marketplace.write.fork([parent, account.address, 10_000n], { account, value }))
      return registry.read.totalSupply()
    },
    /** Transfers a token from its owner. */
    transfer: (account: Account, tokenId: bigint, to: Address): Promise<TransactionReceipt> =>
      mined(registry.write.transferFrom([account.address, to, tokenId], { account })),
  }
}
