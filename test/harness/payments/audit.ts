import { type Hex, type Log, type PublicClient, parseEventLogs } from 'viem'
import { memoryMarketplaceAbi as abi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'

/** An act in dollars, as the chain recorded it. */
export type ChainAct = {
  /** The act, its token and its recipient; for a royalty its amount, which tells it from any other. */
  readonly name: string
  readonly price: bigint
  readonly orderHash: Hex
}

export const actNames = {
  buy: (tokenId: bigint | string, buyer: Hex) => `buy ${tokenId} ${buyer}`,
  rent: (tokenId: bigint | string, renter: Hex) => `rent ${tokenId} ${renter}`,
  fork: (tokenId: bigint | string, recipient: Hex) => `fork ${tokenId} ${recipient}`,
  royalty: (tokenId: bigint | string, amount: bigint | string) => `royalty ${tokenId} ${amount}`,
} as const

/** The most blocks of one read. */
const step = 500n

/** Reads every act in dollars from the events of a marketplace. */
export async function readActs(
  chain: PublicClient,
  marketplace: Hex,
): Promise<readonly ChainAct[]> {
  const last = await chain.getBlockNumber()
  const logs: Log[] = []
  for (let fromBlock = 0n; fromBlock <= last; fromBlock += step) {
    const end = fromBlock + step - 1n
    const range = { fromBlock, toBlock: end < last ? end : last }
    logs.push(...(await chain.getLogs({ address: marketplace, ...range })))
  }
  const read = <name extends EventName>(eventName: name) => parseEventLogs({ abi, eventName, logs })
  return [
    ...read('SoldForDollars').map(({ args: { tokenId, recipient, price, orderHash } }) => ({
      name: actNames.buy(tokenId, recipient),
      price,
      orderHash,
    })),
    ...read('RentedForDollars').map(({ args: { tokenId, renter, paid: price, orderHash } }) => ({
      name: actNames.rent(tokenId, renter),
      price,
      orderHash,
    })),
    ...read('ForkedForDollars').map(({ args: { parent, recipient, price, orderHash } }) => ({
      name: actNames.fork(parent, recipient),
      price,
      orderHash,
    })),
    // The tokens are no forks, so no price pays a royalty.
    ...read('RoyaltyPaidInDollars').map(({ args: { tokenId, amount: price, orderHash } }) => ({
      name: actNames.royalty(tokenId, price),
      price,
      orderHash,
    })),
  ]
}

type EventName = 'SoldForDollars' | 'RentedForDollars' | 'ForkedForDollars' | 'RoyaltyPaidInDollars'
